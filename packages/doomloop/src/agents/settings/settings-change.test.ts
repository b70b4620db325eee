import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { hookEntries } from "./agent-settings.ts";
import { type Change, carryOutWiring, planWiring } from "./settings-change.ts";
import { wiredFiles } from "./wired-files.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "doomloop-change-"));
  writeFileSync(path(), "{}\n");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const path = (): string => join(folder, "settings.json");
const state = (): string => join(folder, "state");
const plan = (): Change => {
  const hooks = hookEntries(["Stop"], {
    type: "command",
    command: "/bin/sh /x/agents/hook-client/hook.sh /state /node 1 'hook/codex?v=0.1.0' 2>/dev/null || :",
  });
  return planWiring({ type: "shared", path: path(), hooks });
};
const carryOut = (change: Change): void => carryOutWiring(change, state(), { host: "codex", commands: [] });

it("writes nothing over what somebody has written since the change was shown, and notes nothing", () => {
  const change = plan();
  writeFileSync(path(), '{ "since": true }\n');

  expect(() => carryOut(change)).toThrow("has changed in the meantime");
  expect(readFileSync(path(), "utf8")).toBe('{ "since": true }\n');
  expect(wiredFiles(state())).toEqual([]);
  expect(readdirSync(folder).sort()).toEqual(["settings.json"]);
});

it("passes over notes that cannot be read", () => {
  carryOut(plan());
  mkdirSync(join(state(), "wired/folder.json"));
  writeFileSync(join(state(), "wired/broken.json"), "{");
  writeFileSync(join(state(), "wired/other.json"), '{"host":"nobody"}');

  expect(wiredFiles(state())).toHaveLength(1);
});
