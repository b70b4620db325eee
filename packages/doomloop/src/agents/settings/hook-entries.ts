import type { HookEntry } from "./agent-settings.ts";

/** Events that are about one call: these may be restricted to tools, and ours are not. */
const ABOUT_CALLS = new Set(["PreToolUse", "PostToolUse", "PostToolUseFailure", "BeforeTool", "AfterTool"]);

/** One entry an event, each with one handler. */
export function hookEntries(
  events: readonly string[],
  handler: Readonly<Record<string, unknown>>,
): Readonly<Record<string, HookEntry>> {
  return Object.fromEntries(
    events.map((event) => [event, { ...(ABOUT_CALLS.has(event) && { matcher: "*" }), hooks: [handler] }]),
  );
}
