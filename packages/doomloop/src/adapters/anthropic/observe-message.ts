import type { HostRun } from "../../host/host-run.ts";
import type { BlockLike, MessageLike } from "./messages.ts";

/**
 * Observes an answer in order: reasoning, words, compactions, and calls that the provider made itself, whose results are in the
 * same answer.
 */
export function observeMessage({ content, stop_reason }: MessageLike, run: HostRun): void {
  const blocks = content as readonly BlockLike[];
  if (blocks.some(({ type }) => type === "compaction")) run.compaction();
  const results = new Set(blocks.filter(({ tool_use_id }) => tool_use_id !== undefined));
  let said = "";
  for (const { type, id, name, input, text, thinking } of blocks) {
    if (type === "text") said += text ?? "";
    if (type === "thinking" && thinking) run.reasoning(thinking);
    if (type === "tool_use" || !type.endsWith("_tool_use") || id === undefined || name === undefined) continue;
    // If several calls have the same id, each takes the next result.
    const result = [...results].find(({ tool_use_id }) => tool_use_id === id);
    if (result === undefined) continue;
    results.delete(result);
    if (said !== "") run.text(said, { partial: true });
    said = "";
    run.past({ id, tool: name, args: input, output: result.content, error: isFailed(result) });
  }
  // A paused answer continues in the next message, so it is not a whole answer.
  if (said === "" || stop_reason === "pause_turn") return;
  const hasCalls = blocks.some(({ type }) => type === "tool_use");
  run.text(said, hasCalls ? { partial: true } : {});
}

/** Observes the calls of unknown tools, which the runner answers by itself. */
export function observeUnknownCalls({ content }: MessageLike, run: HostRun, isKnown: (tool: string) => boolean): void {
  for (const { type, id, name, input, toolset_name } of content as readonly BlockLike[]) {
    if (type !== "tool_use" || name === undefined || toolset_name || isKnown(name)) continue;
    run.past({ id, tool: name, args: input, output: "not found", error: true });
  }
}

/** A failed call of the provider has a flag, or content whose type ends with `_error`. */
function isFailed({ is_error, content }: BlockLike): boolean {
  if (is_error === true) return true;
  const { type } = (content ?? {}) as { type?: unknown };
  return typeof type === "string" && type.endsWith("_error");
}
