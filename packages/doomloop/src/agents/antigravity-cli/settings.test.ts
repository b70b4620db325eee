import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import type { SharedFile } from "../settings/agent-settings.ts";
import { type CommandShell, hookCommand, isOwnCommand } from "../settings/hook-command.ts";
import { addHooks, hasHooks, ownCommands, removeHooks } from "../settings/shared-hooks.ts";
import { antigravityCli } from "./agent.ts";
import { antigravityCliHook } from "./hook.ts";

const PLACE = { env: {}, platform: "linux", home: "/home/me" } as const;
const HOOK = {
  agent: { name: "antigravity-cli", hook: antigravityCliHook },
  node: "/usr/bin/node",
  folder: "/opt/it's/agents/hook-client",
  state: "/home/me/state",
  startsOver: false,
};
const command = (shell: CommandShell): string => hookCommand(HOOK, shell);
const [file] = antigravityCli.settings!.files(PLACE, { command, seconds: 5 }) as [SharedFile];

it("has a name of its own beside the hooks of others, and leaves those as they are", () => {
  const theirs =
    '{\n  "lint": {\n    "PostToolUse": [{ "matcher": "run_command", "hooks": [{ "command": "./lint.sh" }] }]\n  }\n}\n';
  const text = addHooks(theirs, file)!;
  const handler = { type: "command", command: command("posix-object"), timeout: 5 };

  expect(file.path.replaceAll("\\", "/")).toBe("/home/me/.gemini/config/hooks.json");
  expect(JSON.parse(text)).toMatchObject({
    lint: {},
    doomloop: { PreInvocation: [handler], PostInvocation: [handler] },
  });
  expect(hasHooks(text, file)).toBe(true);
  expect(ownCommands(text).map(({ event }) => event)).toEqual(["PreInvocation", "PostInvocation"]);
  expect(removeHooks(text)).toBe(theirs);
});

it("does not ask for permissions, because a hook that fails there would refuse every call", () => {
  expect(Object.keys(file.hooks)).not.toContain("PreToolUse");
});

it.skipIf(process.platform === "win32")("prints an empty object if the hook is gone", () => {
  expect(
    execFileSync("/bin/sh", ["-c", command("posix-object")], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }),
  ).toBe("{}\n");
});

it("knows its own command again, and nobody else's", () => {
  expect(isOwnCommand(command("posix-object"))).toBe(true);
  expect(isOwnCommand(`${command("posix-object")}; rm x`)).toBe(false);
});

it("does not pretend to know Windows", () => {
  expect(() => antigravityCli.settings!.files({ ...PLACE, platform: "win32" }, { command, seconds: 5 })).toThrow(
    "not supported yet",
  );
});
