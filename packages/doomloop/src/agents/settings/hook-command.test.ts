import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { hookCommand, isForUnattended, isInProject, isOwnCommand, slashed } from "./hook-command.ts";

const WORDS = {
  node: "/usr/bin/node",
  program: "/opt/doomloop/dist/agents/hook-program/main.cjs",
  host: "codex" as const,
};
const WINDOWS = {
  ...WORDS,
  node: "C:\\Program Files\\nodejs\\node.exe",
  program: "C:\\it's\\dist\\agents\\hook-program\\main.cjs",
};

describe("hookCommand", () => {
  it("quotes what a shell would take for more than a word", () => {
    expect(hookCommand({ ...WORDS, isUnattended: false }, "posix")).toBe(
      "/usr/bin/node /opt/doomloop/dist/agents/hook-program/main.cjs --host codex",
    );
    expect(hookCommand({ ...WINDOWS, isUnattended: true }, "powershell")).toBe(
      "& 'C:\\Program Files\\nodejs\\node.exe' 'C:\\it''s\\dist\\agents\\hook-program\\main.cjs' --host codex --unattended",
    );
    expect(hookCommand({ ...WINDOWS, isUnattended: false }, "any-windows")).toBe(
      'cmd /d /c call "C:\\Program Files\\nodejs\\node.exe" "C:\\it\'s\\dist\\agents\\hook-program\\main.cjs" --host codex',
    );
  });

  it("names the plugin of an agent that loads modules by an address, on Windows too", () => {
    expect(hookCommand({ ...WORDS, host: "opencode", isUnattended: false }, "javascript")).toBe(
      '(await import("file:///opt/doomloop/dist/agents/opencode/plugin.js")).createDoomloop({ unattended: false })',
    );
    expect(hookCommand({ ...WINDOWS, host: "opencode", isUnattended: true }, "javascript")).toBe(
      '(await import("file:///C:/it\'s/dist/agents/opencode/plugin.js")).createDoomloop({ unattended: true })',
    );
  });

  it("refuses a path that cmd would read variables into", () => {
    expect(() => hookCommand({ ...WINDOWS, node: "C:\\%TEMP%\\node.exe", isUnattended: false }, "any-windows")).toThrow(
      "no shell can be told",
    );
  });

  it.skipIf(process.platform === "win32")("tells a POSIX shell exactly the words that are meant", () => {
    const name = fc.string({ unit: fc.constantFrom(..."ab '\"$`\\!*?;&|<>()#~%\t") });
    fc.assert(
      fc.property(name, (folder) => {
        const program = `/tmp/${folder}/agents/hook-program/main.cjs`;
        const command = hookCommand({ node: "printf", program, host: "cline", isUnattended: true }, "posix");
        const said = execFileSync("/bin/sh", ["-c", command.replace("printf", "printf '%s\\n'")], { encoding: "utf8" });

        expect(said).toBe(`${program}\n--host\ncline\n--unattended\n`);
        expect(isOwnCommand(command)).toBe(true);
      }),
      { numRuns: Math.ceil(propertyRuns() / 20) },
    );
  });
});

describe("isOwnCommand", () => {
  it("knows its own in every quoting, and nothing that goes on behind it", () => {
    for (const shell of ["posix", "powershell", "any-windows", "javascript"] as const) {
      for (const isUnattended of [true, false]) {
        const command = hookCommand({ ...WINDOWS, isUnattended }, shell);
        expect(isOwnCommand(command)).toBe(true);
        expect(isForUnattended(command)).toBe(isUnattended);
      }
    }
    expect(isOwnCommand('(await import("file:///x/agents/y/plugin.js")).createDoomloop({ unattended: evil() })')).toBe(
      false,
    );
    expect(isOwnCommand("node /x/agents/hook-program/main.cjs --host codex; rm -rf x")).toBe(false);
    expect(isOwnCommand(["node"])).toBe(false);
  });
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
  program: join(place, "node_modules", "doomloop", "dist", "agents", "hook-program", "main.cjs"),
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
