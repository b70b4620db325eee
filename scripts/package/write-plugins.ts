import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { claudeCodeHook } from "../../packages/doomloop/src/agents/claude-code/hook.ts";
import { CLAUDE_EVENTS } from "../../packages/doomloop/src/agents/claude-code/settings.ts";
import { CODEX_EVENTS } from "../../packages/doomloop/src/agents/codex/settings.ts";
import { hookEntries } from "../../packages/doomloop/src/agents/settings/agent-settings.ts";
import { packageHome, readManifest } from "./manifest.ts";

/**
 * Agents copy a plugin to where they want it. So the package itself is the plugin: wherever it is copied to, the hook is in it. It finds
 * the state folder and Node by itself, and where there is none, or no hook, nothing is said and the agent goes on.
 */
const { version } = readManifest();
const plugin = {
  name: "doomloop",
  version,
  description: "Notices when the agent goes in circles, and tells it",
  author: { name: "doomloop contributors" },
  homepage: "https://doomloop.github.io/doomloop/",
  repository: "https://github.com/doomloop/doomloop",
  license: "MIT",
};
const { name, description, author } = plugin;

/** Makes the package a plugin for several agents, and a marketplace of one plugin for each. Version and events are those of the source. */
export function writePlugins(): void {
  write(".claude-plugin/plugin.json", plugin);
  write(".claude-plugin/marketplace.json", {
    name,
    description,
    owner: author,
    plugins: [{ name, description, source: "./" }],
  });
  // Claude Code and Codex read this file unless the plugin names another one.
  const seen = claudeCodeHook.variables?.map((variable) => `\${${variable}-}`).join(",");
  write("hooks/hooks.json", hooksOf("claude-code", CLAUDE_EVENTS, `CLAUDE_PLUGIN_ROOT`, ` "${seen}"`));

  write(".codex-plugin/plugin.json", { ...plugin, skills: "./skills/", hooks: "./hooks/codex.json" });
  write(".agents/plugins/marketplace.json", {
    name,
    interface: { displayName: name },
    plugins: [
      {
        name,
        description,
        source: { source: "local", path: "./" },
        policy: { installation: "AVAILABLE", authentication: "ON_INSTALL" },
        category: "Coding",
      },
    ],
  });
  write("hooks/codex.json", hooksOf("codex", CODEX_EVENTS, "PLUGIN_ROOT"));
}

function hooksOf(agent: string, events: readonly string[], root: string, seen = ""): object {
  const command = `/bin/sh "\${${root}}/dist/agents/hook-client/hook.sh" - - 1 'hook/${agent}?v=${version}'${seen} 2>/dev/null || :`;
  const hooks = hookEntries(events, { type: "command", command, timeout: 5 });
  return { hooks: Object.fromEntries(Object.entries(hooks).map(([event, one]) => [event, [one]])) };
}

function write(file: string, value: object): void {
  const path = join(packageHome, file);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, `${JSON.stringify(value, undefined, 2)}\n`);
}
