import type { StreamTextResult, ToolSet } from "ai";
import { isBlockedCall } from "doomloop/ai-sdk";

// biome-ignore lint/suspicious/noExplicitAny: any stream will do.
export function respond(result: StreamTextResult<ToolSet, any, any>): Response {
  // #region chat
  return result.toUIMessageStreamResponse({
    onError: (error) => (isBlockedCall(error) ? error.explanation : "An error occurred."),
  });
  // #endregion chat
}
