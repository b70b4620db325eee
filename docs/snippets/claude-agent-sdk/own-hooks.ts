import type { HookCallbackMatcher } from "@anthropic-ai/claude-agent-sdk";
import { loopHooks } from "doomloop/claude-agent-sdk";

declare const mine: { PreToolUse: HookCallbackMatcher[] };

// #region own-hooks
const guard = loopHooks();
const hooks = { ...guard, PreToolUse: [...guard.PreToolUse, ...mine.PreToolUse] };

// #endregion own-hooks

export { hooks };
