import { join } from "node:path";
import { childOf, parseJsonText } from "../json-text/parse-json-text.ts";
import { UsageError } from "../usage-error.ts";
import type { AgentPlace } from "../wiring/agents/agent-wiring.ts";
import { claudeCode } from "../wiring/agents/claude-code.ts";
import { readSettings, textOfSettings } from "../wiring/settings-file.ts";

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
