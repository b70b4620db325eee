import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { arbitrarySettings } from "../../../../../test/arbitrary-settings.ts";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { claudeCodeHook } from "../claude-code/hook.ts";
import { claudeCodeSettings } from "../claude-code/settings.ts";
import type { AgentPlace, SharedFile } from "./agent-settings.ts";
import { type CommandShell, hookCommand } from "./hook-command.ts";
import { type Receipt, readReceipts } from "./receipts.ts";
import { carryOutRemoval, carryOutWiring, isChanged, planRemoval, planWiring } from "./settings-change.ts";

let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "doomloop-wiring-"));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const state = (): string => join(home, "state");
const receiptOf = (path: string): Receipt | undefined => readReceipts(state()).find((receipt) => receipt.path === path);

function init(isUnattended = false, statusLine = false): boolean {
  const place: AgentPlace = { env: {}, platform: "linux", home };
  const words = {
    agent: { name: "claude-code", hook: claudeCodeHook },
    node: "/usr/bin/node",
    folder: "/opt/x/agents/hook-client",
    state: "/home/me/state",
    mode: isUnattended ? ("unattended" as const) : undefined,
    startsOver: false,
  };
  const command = (shell: CommandShell, isStatusLine?: boolean) => hookCommand({ ...words, isStatusLine }, shell);
  const [file] = claudeCodeSettings.files(place, { command, seconds: 5 }) as [SharedFile];
  const change = planWiring({ ...file, path: settingsPath() }, receiptOf, { statusLine });
  const receipt = receiptOf(settingsPath());
  if (isChanged(change)) carryOutWiring(change, { state: state(), host: "claude-code", commands: [], receipt });
  return isChanged(change);
}

function uninstall(): void {
  const receipt = receiptOf(settingsPath());
  const change = planRemoval(settingsPath(), receipt);
  if (isChanged(change)) carryOutRemoval(change, state());
}

const settingsPath = (): string => join(home, "settings.json");
const read = (): string => readFileSync(settingsPath(), "utf8");

it("init and then uninstall is no change at all, however often init is run", () => {
  fc.assert(
    fc.property(arbitrarySettings, fc.array(fc.boolean(), { minLength: 1, maxLength: 3 }), (text, runs) => {
      writeFileSync(settingsPath(), text);
      for (const isUnattended of runs) init(isUnattended, runs[0] === true && !text.includes('"statusLine"'));
      expect(init(runs.at(-1))).toBe(false);
      uninstall();

      expect(read()).toBe(text);
      expect(readReceipts(state())).toEqual([]);
      expect(readdirSync(home).filter((name) => name.startsWith(".doomloop"))).toEqual([]);
    }),
    { numRuns: Math.ceil(propertyRuns() / 20) },
  );
});

it("what somebody writes after init stays, and so does what was there before", () => {
  fc.assert(
    fc.property(arbitrarySettings, (text) => {
      writeFileSync(settingsPath(), text);
      init();
      writeFileSync(settingsPath(), `${read()}\n// later`);
      uninstall();

      expect(read().endsWith("\n// later")).toBe(true);
      expect(read()).not.toContain("agents/hook-client/");
      expect(read().replaceAll(/\s/g, "")).toBe(`${text}//later`.replaceAll(/\s/g, ""));
    }),
    { numRuns: Math.ceil(propertyRuns() / 20) },
  );
});
