import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { packageVersion } from "../../system/package-folder.ts";
import { claudeCodeHook } from "../claude-code/hook.ts";
import { codexHook } from "../codex/hook.ts";
import { opencodeHook } from "../opencode/hook.ts";
import { choiceIn, hookCommand, isInProject, isOwnCommand, programsIn, slashed } from "./hook-command.ts";

const codex = { name: "codex", hook: codexHook };
const opencode = { name: "opencode", hook: opencodeHook };
const WORDS = {
  agent: codex,
  node: "/usr/bin/node",
  folder: "/opt/doomloop/dist/agents/hook-client",
  state: "/home/me/.local/state/doomloop",
  startsOver: false,
};
const WINDOWS = {
  ...WORDS,
  node: "C:\\Program Files\\nodejs\\node.exe",
  folder: "C:\\it's\\dist\\agents\\hook-client",
  state: "C:\\Users\\me\\State",
};
const V = `v=${packageVersion()}`;

describe("hookCommand", () => {
  it("has absolute paths and ends with success, whatever happens to them", () => {
    expect(hookCommand(WORDS, "posix")).toBe(
      `/bin/sh /opt/doomloop/dist/agents/hook-client/hook.sh /home/me/.local/state/doomloop /usr/bin/node 1 'hook/codex?${V}' 2>/dev/null || :`,
    );
    expect(hookCommand({ ...WORDS, mode: "unattended", startsOver: true }, "posix")).toContain(
      ` 1 'hook/codex?${V}&mode=unattended&start-over=1' `,
    );
    expect(hookCommand({ ...WORDS, isStatusLine: true }, "posix")).toContain(` 'status-line/codex?${V}' `);
  });

  it("hands over what the agent's environment says", () => {
    const seen = ["ENTRYPOINT", "SESSION_ATTENDED"].map((name) => `\${CLAUDE_CODE_${name}-}`).join(",");
    expect(hookCommand({ ...WORDS, agent: { name: "claude-code", hook: claudeCodeHook } }, "posix")).toContain(
      ` "${seen}" 2>/dev/null || :`,
    );
  });

  it("quotes for the shells of Windows", () => {
    const words =
      "'C:\\Program Files\\nodejs\\node.exe' 'C:\\it''s\\dist\\agents\\hook-client\\main.js' 'C:\\Users\\me\\State'";
    expect(hookCommand({ ...WINDOWS, mode: "unattended" }, "powershell")).toBe(
      `& ${words} 'C:\\Program Files\\nodejs\\node.exe' 1 "hook/codex?${V}&mode=unattended" --plain 2>$null; exit 0`,
    );
    expect(hookCommand(WINDOWS, "any-windows")).toBe(
      `cmd /d /c call "C:\\Program Files\\nodejs\\node.exe" "C:\\it's\\dist\\agents\\hook-client\\main.js" "C:\\Users\\me\\State" "C:\\Program Files\\nodejs\\node.exe" 1 "hook/codex?${V}" --plain`,
    );
  });

  it("names the plugin of an agent that loads modules by an address, on Windows too", () => {
    expect(hookCommand({ ...WORDS, agent: opencode }, "javascript")).toBe(
      '(await import("file:///opt/doomloop/dist/agents/opencode/plugin.ts")).createDoomloop({ state: "/home/me/.local/state/doomloop", node: "/usr/bin/node" })',
    );
    expect(hookCommand({ ...WINDOWS, agent: opencode, mode: "unattended" }, "javascript")).toBe(
      '(await import("file:///C:/it\'s/dist/agents/opencode/plugin.ts")).createDoomloop({ state: "C:\\\\Users\\\\me\\\\State", node: "C:\\\\Program Files\\\\nodejs\\\\node.exe", mode: "unattended" })',
    );
  });

  it("refuses a path that cmd would read variables into", () => {
    expect(() => hookCommand({ ...WINDOWS, node: "C:\\%TEMP%\\node.exe" }, "any-windows")).toThrow(
      "no shell can be told",
    );
  });

  it.skipIf(process.platform === "win32")("tells a POSIX shell exactly the words that are meant", () => {
    const name = fc.string({ unit: fc.constantFrom(..."ab '\"$`\\!*?;&|<>()#~%\t") });
    fc.assert(
      fc.property(name, (odd) => {
        const folder = `/tmp/x${odd}/agents/hook-client`;
        const command = hookCommand({ ...WORDS, folder, state: `/${odd}`, mode: "attended" }, "posix");
        const printed = command.replace("/bin/sh", "printf '%s\\n'");
        const said = execFileSync("/bin/sh", ["-c", printed], { encoding: "utf8" });

        expect(said).toBe(`${folder}/hook.sh\n/${odd}\n/usr/bin/node\n1\nhook/codex?${V}&mode=attended\n`);
        expect(isOwnCommand(command)).toBe(true);
      }),
      { numRuns: Math.ceil(propertyRuns() / 20) },
    );
  });
});

describe("isOwnCommand", () => {
  it("knows its own in every quoting, with what was chosen", () => {
    for (const shell of ["posix", "powershell", "any-windows", "javascript"] as const) {
      for (const mode of [undefined, "attended", "unattended"] as const) {
        const command = hookCommand({ ...WINDOWS, agent: opencode, mode, startsOver: true }, shell);
        expect(isOwnCommand(command)).toBe(true);
        expect(choiceIn(command)).toEqual({ mode, startsOver: true });
      }
    }
    const isStatusLine = true;
    expect(isOwnCommand(hookCommand({ ...WORDS, isStatusLine }, "posix"))).toBe(true);
  });

  it("knows nothing that goes on behind it", () => {
    expect(isOwnCommand('(await import("file:///x/agents/y/plugin.js")).createDoomloop({ state: evil({}) })')).toBe(
      false,
    );
    expect(isOwnCommand(`${hookCommand(WORDS, "posix")}; rm -rf x`)).toBe(false);
    expect(isOwnCommand("node /x/agents/hook-client/main.js; rm -rf x")).toBe(false);
    expect(isOwnCommand(["node"])).toBe(false);
  });
});

it("finds the Node of a command again, whatever its path is", () => {
  for (const node of ["/usr/bin/node", "/it's mine/a b/node", '/a"b\\c/node']) {
    const words = { ...WORDS, node, state: "/home/it's me/1 2" };
    expect(programsIn(hookCommand(words, "posix"))).toEqual({ script: `${words.folder}/hook.sh`, node });
    expect(programsIn(hookCommand({ ...words, agent: opencode }, "javascript"))).toEqual({ node });
  }
  expect(programsIn(hookCommand(WINDOWS, "powershell"))).toEqual({});
});

it("writes paths for the shell of Git with slashes", () => {
  expect(slashed("C:\\Program Files\\node.exe", "win32")).toBe("C:/Program Files/node.exe");
  expect(slashed("/a\\b", "linux")).toBe("/a\\b");
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "doomloop-installed-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const hookIn = (place: string) => ({
  node: "node",
  folder: join(place, "node_modules", "doomloop", "dist", "agents", "hook-client"),
});

it("is in a project as a dependency of a package or of a repository", () => {
  writeFileSync(join(folder, "package.json"), "{}");
  expect(isInProject(hookIn(folder))).toBe(true);
  expect(isInProject(hookIn(join(folder, "node_modules", "other")))).toBe(true);

  rmSync(join(folder, "package.json"));
  mkdirSync(join(folder, ".git"));
  expect(isInProject(hookIn(folder))).toBe(true);
});

it("is in no project where packages are installed for all of them", () => {
  expect(isInProject(hookIn(join(folder, "lib")))).toBe(false);
});
