import { join } from "node:path";
import { UsageError } from "../../system/usage-error.ts";
import { codex } from "../codex/settings.ts";
import type { HookHost } from "../hook/dialect.ts";
import type { AgentPlace } from "../settings/agent-settings.ts";
import { childOf, parseJsonText } from "../settings/parse-json-text.ts";
import { readSettings, textOfSettings } from "../settings/settings-file.ts";

/** What keeps an agent from running hooks that stand in its settings. */
export interface KnownTrust {
  readonly words: string;
  /** It surely runs none. */
  readonly isFault: boolean;
}

const HOW = "Start codex, type /hooks, and trust those of doomloop; codex exec knows --dangerously-bypass-hook-trust.";

/** What can be told of it from the outside; undefined where there is nothing to tell. */
export function knownTrust(host: HookHost, path: string, place: AgentPlace): KnownTrust | undefined {
  if (host === "codex") return codexTrust(path, place);
  const off = switchedOff(textOf(path));
  return off === undefined ? undefined : { words: `${off}: no hook runs.`, isFault: true };
}

/** Codex keeps a hash of each hook that somebody trusted. Only Codex knows whether it is that of the hook as it is now. */
function codexTrust(path: string, place: AgentPlace): KnownTrust {
  const config = textOf(join(codex.folder(place), "config.toml"));
  const isNamed = config.split("\n").some((line) => line.includes("hooks.state") && line.includes(path));
  return isNamed
    ? { words: `You have trusted hooks of this file. If they were changed since, they are off: ${HOW}`, isFault: false }
    : { words: `Codex runs none of these hooks before you trust them, and does not say so. ${HOW}`, isFault: false };
}

/** The setting that switches all hooks off, where it is so. */
function switchedOff(text: string): string | undefined {
  const root = parseJsonText(text);
  if (childOf(root, "disableAllHooks")?.value === true) return "disableAllHooks is true";
  if (childOf(childOf(root, "hooksConfig"), "enabled")?.value === false) return "hooksConfig.enabled is false";
  return childOf(childOf(root, "tools"), "enableHooks")?.value === false ? "tools.enableHooks is false" : undefined;
}

function textOf(path: string): string {
  try {
    return textOfSettings(readSettings(path)) ?? "";
  } catch (error) {
    if (error instanceof UsageError) return "";
    throw error;
  }
}
