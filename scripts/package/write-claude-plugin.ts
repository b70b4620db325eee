import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { claudeCodeHook } from "../../packages/doomloop/src/agents/claude-code/hook.ts";
import { CLAUDE_EVENTS } from "../../packages/doomloop/src/agents/claude-code/settings.ts";
import { hookEntries } from "../../packages/doomloop/src/agents/settings/agent-settings.ts";
import { packageHome } from "./manifest.ts";

const NAME = "doomloop";
const DESCRIPTION = "Notices when the agent goes in circles, and tells it";

/**
 * Claude Code copies a plugin to where it wants it. So the package itself is the plugin: wherever it is copied to, the hook is in it. It finds
 * the state folder and Node by itself, and where there is none, or no hook, nothing is said and the agent goes on.
 */
const SEEN = claudeCodeHook.variables?.map((name) => `\${${name}-}`).join(",");

/** Makes the package a plugin for Claude Code, and a marketplace of one plugin. Version and events are those of the source. */
export function writeClaudePlugin(): void {
  const { version } = JSON.parse(readFileSync(join(packageHome, "package.json"), "utf8")) as { version: string };
  const author = { name: "doomloop contributors" };
  write(".claude-plugin/plugin.json", { name: NAME, version, description: DESCRIPTION, author, license: "MIT" });
  write(".claude-plugin/marketplace.json", {
    name: NAME,
    description: DESCRIPTION,
    owner: author,
    plugins: [{ name: NAME, description: DESCRIPTION, source: "./" }],
  });
  const command = `/bin/sh "\${CLAUDE_PLUGIN_ROOT}/dist/agents/hook-client/hook.sh" - - 1 'hook/claude-code?v=${version}' "${SEEN}" 2>/dev/null || :`;
  const hooks = hookEntries(CLAUDE_EVENTS, { type: "command", command, timeout: 5 });
  write("hooks/hooks.json", { hooks: Object.fromEntries(Object.entries(hooks).map(([event, one]) => [event, [one]])) });
}

function write(name: string, value: object): void {
  const path = join(packageHome, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, `${JSON.stringify(value, undefined, 2)}\n`);
}
