import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CLAUDE_EVENTS } from "../../packages/doomloop/src/agents/claude-code/agent.ts";
import { claudeCodeHook } from "../../packages/doomloop/src/agents/claude-code/hook.ts";
import { CODEX_EVENTS } from "../../packages/doomloop/src/agents/codex/agent.ts";
import { CURSOR_EVENTS } from "../../packages/doomloop/src/agents/cursor/hook.ts";
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
  writeClaudeCode();
  writeCodex();
  writeCursor();
}

function writeClaudeCode(): void {
  write(".claude-plugin/plugin.json", plugin);
  const listed = { name, description, source: "./" };
  write(".claude-plugin/marketplace.json", { name, description, owner: author, plugins: [listed] });
  const seen = claudeCodeHook.variables?.map((variable) => `\${${variable}-}`).join(",");
  // All of them read this file, unless the plugin names another one.
  write("hooks/hooks.json", entriesOf(CLAUDE_EVENTS, commandOf("claude-code", "CLAUDE_PLUGIN_ROOT", ` "${seen}"`)));
}

function writeCodex(): void {
  write(".codex-plugin/plugin.json", { ...plugin, skills: "./skills/", hooks: "./hooks/codex.json" });
  const listed = {
    name,
    description,
    source: { source: "local", path: "./" },
    policy: { installation: "AVAILABLE", authentication: "ON_INSTALL" },
    category: "Coding",
  };
  write(".agents/plugins/marketplace.json", { name, interface: { displayName: name }, plugins: [listed] });
  write("hooks/codex.json", entriesOf(CODEX_EVENTS, commandOf("codex", "PLUGIN_ROOT")));
}

function writeCursor(): void {
  write(".cursor-plugin/plugin.json", { ...plugin, skills: "./skills/", hooks: "./hooks/cursor.json" });
  const listed = { name, description, source: "./" };
  write(".cursor-plugin/marketplace.json", {
    name,
    owner: author,
    metadata: { description, version },
    plugins: [listed],
  });
  const entry = { command: commandOf("cursor", "CURSOR_PLUGIN_ROOT"), timeout: 5 };
  write("hooks/cursor.json", {
    version: 1,
    hooks: Object.fromEntries(CURSOR_EVENTS.map((event) => [event, [entry]])),
  });
}

/** `root` is the variable in which an agent names the plugin's folder. */
function commandOf(agent: string, root: string, seen = ""): string {
  return `/bin/sh "\${${root}}/dist/agents/hook-client/hook.sh" - - 1 'hook/${agent}?v=${version}'${seen} 2>/dev/null || :`;
}

/** The layout that Claude Code and Codex share. */
function entriesOf(events: readonly string[], command: string): object {
  const hooks = hookEntries(events, { type: "command", command, timeout: 5 });
  return { hooks: Object.fromEntries(Object.entries(hooks).map(([event, one]) => [event, [one]])) };
}

function write(file: string, value: object): void {
  const path = join(packageHome, file);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, `${JSON.stringify(value, undefined, 2)}\n`);
}
