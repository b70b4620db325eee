import { describe, expect, it } from "vitest";
import { codingAgentContract } from "../../../../test/contracts/coding-agent.ts";
import { CODING_AGENTS, HOOKED_AGENTS, WIRABLE_AGENTS } from "./index.ts";
import type { AgentPlace, OwnFile, SharedFile } from "./settings/agent-settings.ts";
import type { CommandShell } from "./settings/hook-command.ts";

for (const agent of CODING_AGENTS) codingAgentContract(agent);

function filesOf(host: string, place: Partial<AgentPlace> = {}): readonly (SharedFile | OwnFile)[] {
  const agent = WIRABLE_AGENTS.find(({ name }) => name === host)!;
  return agent.settings.files(
    { env: {}, platform: "linux", home: "/home/me", ...place },
    { command: (shell: CommandShell) => `for ${shell}`, seconds: 5 },
  );
}

/** The one handler of a shared file. */
function handlerOf(host: string, platform: NodeJS.Platform): unknown {
  const [file] = filesOf(host, { platform }) as [SharedFile];
  const handlers = Object.values(file.hooks).flatMap(({ hooks }) => hooks);
  expect(new Set(handlers).size).toBe(1);
  return handlers[0];
}

describe("the wiring of agents", () => {
  it("knows each agent but OpenClaw and Cursor, which install plugins themselves", () => {
    const hooked = HOOKED_AGENTS.map(({ name }) => name).filter((name) => !["openclaw", "cursor"].includes(name));

    expect(WIRABLE_AGENTS.map(({ name }) => name).sort()).toEqual(hooked.sort());
  });

  it.each([
    ["claude-code", { CLAUDE_CONFIG_DIR: "/c,/d" }, "/c/settings.json"],
    ["codex", { CODEX_HOME: "/c" }, "/c/hooks.json"],
    ["gemini-cli", { GEMINI_CLI_HOME: "/c" }, "/c/.gemini/settings.json"],
    ["qwen-code", { QWEN_HOME: "/c" }, "/c/settings.json"],
    ["opencode", { OPENCODE_CONFIG_DIR: "/c", XDG_CONFIG_HOME: "/d" }, "/c/plugins/doomloop.js"],
    ["opencode", { XDG_CONFIG_HOME: "/c" }, "/c/opencode/plugins/doomloop.js"],
    ["copilot-cli", { COPILOT_HOME: "/c" }, "/c/hooks/doomloop.json"],
  ])("finds the folder of %s where it was told to be", (host, env, path) => {
    expect(filesOf(host, { env }).map((file) => file.path.replaceAll("\\", "/"))).toEqual([path]);
  });

  it("gives each agent a command for the shell that it uses", () => {
    expect(handlerOf("claude-code", "win32")).toEqual({ type: "command", command: "for posix", timeout: 5 });
    expect(handlerOf("codex", "linux")).toEqual({ type: "command", command: "for posix", timeout: 5 });
    expect(handlerOf("codex", "win32")).toMatchObject({ command: "for posix", commandWindows: "for any-windows" });
    for (const host of ["gemini-cli", "qwen-code"]) {
      expect(handlerOf(host, "darwin")).toMatchObject({ command: "for posix", timeout: 5000 });
      expect(handlerOf(host, "win32")).toMatchObject({ command: "for powershell" });
    }
    const [copilot] = filesOf("copilot-cli", { platform: "win32" }) as [OwnFile];
    expect(JSON.parse(copilot.text).hooks.preToolUse).toEqual([
      { type: "command", bash: "for posix", powershell: "for powershell", timeoutSec: 5 },
    ]);
  });

  it("does not pretend to know what it does not", () => {
    expect(() => filesOf("cline", { platform: "win32" })).toThrow("not supported yet");
  });
});
