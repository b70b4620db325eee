import { join } from "node:path";
import { UsageError } from "../../system/usage-error.ts";
import type { AgentPlace } from "../settings/agent-settings.ts";
import { childOf, parseJsonText } from "../settings/parse-json-text.ts";
import { readSettings, textOfSettings } from "../settings/settings-file.ts";
import { claudeCode } from "./settings.ts";

/** Whether Claude Code has our plugin switched on, beside or instead of what `init` writes. */
export function hasClaudePlugin(place: AgentPlace): boolean {
  try {
    const text = textOfSettings(readSettings(join(claudeCode.folder(place), "settings.json"))) ?? "";
    const plugins = childOf(parseJsonText(text), "enabledPlugins")?.children ?? [];
    return plugins.some(({ key, value }) => key?.startsWith("doomloop@") === true && value === true);
  } catch (error) {
    if (error instanceof UsageError) return false;
    throw error;
  }
}
