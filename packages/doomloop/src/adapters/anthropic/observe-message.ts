import type { HostRun } from "../../host/host-run.ts";
import type { BlockLike, MessageLike } from "./messages.ts";

/**
 * Observes an answer in its own order: what is thought and said in it, and what the provider did by itself, a compaction and
 * calls whose results stand in the same answer.
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
    // Of calls with the same id, each has the next of its results.
    const result = [...results].find(({ tool_use_id }) => tool_use_id === id);
    if (result === undefined) continue;
    results.delete(result);
    if (said !== "") run.text(said, { partial: true });
    said = "";
    run.past({ id, tool: name, args: input, output: result.content, error: isFailed(result) });
  }
  // A paused answer goes on in the next message: it is not one of several answers.
  if (said === "" || stop_reason === "pause_turn") return;
  const hasCalls = blocks.some(({ type }) => type === "tool_use");
  run.text(said, hasCalls ? { partial: true } : {});
}

/** Observes the calls of an answer whose tool the runner does not have, and which it answers by itself. */
export function observeUnknownCalls({ content }: MessageLike, run: HostRun, isKnown: (tool: string) => boolean): void {
  for (const { type, id, name, input, toolset_name } of content as readonly BlockLike[]) {
    if (type !== "tool_use" || name === undefined || toolset_name || isKnown(name)) continue;
    run.past({ id, tool: name, args: input, output: "not found", error: true });
  }
}

/** A failed call of the provider's says so, or has an object named an error as its content. */
function isFailed({ is_error, content }: BlockLike): boolean {
  if (is_error === true) return true;
  const { type } = (content ?? {}) as { type?: unknown };
  return typeof type === "string" && type.endsWith("_error");
}
