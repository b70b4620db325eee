import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { arbitrarySettings } from "../../../../../test/arbitrary-settings.ts";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { claudeCode } from "../claude-code/agent.ts";
import { claudeCodeHook } from "../claude-code/hook.ts";
import type { AgentPlace, SharedFile } from "./agent-settings.ts";
import { type CommandShell, hookCommand } from "./hook-command.ts";
import { carryOutRemoval, carryOutWiring, isChanged, planRemoval, planWiring } from "./settings-change.ts";
import { wiredFiles } from "./wired-files.ts";

let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "doomloop-wiring-"));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const state = (): string => join(home, "state");

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
  const [file] = claudeCode.settings!.files(place, { command, seconds: 5 }) as [SharedFile];
  const change = planWiring({ ...file, path: settingsPath() }, { statusLine });
  if (isChanged(change)) carryOutWiring(change, state(), { host: "claude-code", commands: [] });
  return isChanged(change);
}

function uninstall(): void {
  const change = planRemoval(settingsPath());
  if (isChanged(change)) carryOutRemoval(change, state());
}

const settingsPath = (): string => join(home, "settings.json");
const read = (): string => readFileSync(settingsPath(), "utf8");

/** Settings without their layout. Lists of hooks that are empty say nothing, and go with our entries. */
function compact(text: string): string {
  const plain = text.replaceAll(/\s/g, "").replaceAll(/"(?:PreToolUse|Stop|SessionStart)":\[\],?/g, "");
  return plain
    .replace(/,?"hooks":\{\}/, "")
    .replace("{,", "{")
    .replaceAll(/,(?=[\]}])/g, "");
}

const EMPTY = /"(?:hooks|PreToolUse|Stop|SessionStart)": ?(?:\[\]|\{\})/;

it("init and then uninstall changes nothing that is somebody else's, however often init is run", () => {
  const comments = / \/\/ 1, \{| \/\* \] " \*\//g;
  fc.assert(
    fc.property(arbitrarySettings, fc.array(fc.boolean(), { minLength: 1, maxLength: 3 }), (text, runs) => {
      writeFileSync(settingsPath(), `${text}\n// mine`);
      for (const isUnattended of runs) init(isUnattended, runs[0] === true && !text.includes('"statusLine"'));
      expect(init(runs.at(-1))).toBe(false);
      uninstall();

      expect(compact(read().replaceAll(comments, ""))).toBe(compact(`${text}\n// mine`.replaceAll(comments, "")));
      // A comment beside a list that was empty goes with the list.
      if (!EMPTY.test(text)) expect(read().match(comments)?.length).toBe(text.match(comments)?.length);
      expect(wiredFiles(state())).toEqual([]);
      expect(readdirSync(home).filter((name) => name.startsWith(".doomloop"))).toEqual([]);
    }),
    { numRuns: Math.ceil(propertyRuns() / 20) },
  );
});

it.each([
  ['// mine\n{\n  "model": "opus", // the best\n  /* later */\n  "env": {}\n}\n'],
  [
    '{\n  "hooks": {\n    // lint first\n    "Stop": [\n      { "hooks": [{ "command": "lint" }] } // mine\n    ]\n  }, // all\n}\n',
  ],
])("init and then uninstall gives back the same bytes where no list was empty: %j", (text) => {
  writeFileSync(settingsPath(), text);
  init();
  expect(read()).toContain("agents/hook-client/");
  uninstall();

  expect(read()).toBe(text);
});

it("a file that was made for our hooks stays, with nothing in it", () => {
  rmSync(settingsPath(), { force: true });
  init();
  uninstall();

  expect(read()).toBe("{}\n");
});
