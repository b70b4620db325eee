import { appendToError } from "../../host/append-to-error.ts";
import { appendWords } from "../../host/append-words.ts";
import { BlockedCall } from "../../host/blocked-call.ts";
import type { HostCall, HostRun } from "../../host/host-run.ts";
import { isCancelled } from "../../host/is-cancelled.ts";

/**
 * Runs a call unless it is blocked, and puts words behind its result.
 *
 * The call is judged at once and its result later, also where the tool answers at once: so the calls of one answer are judged
 * before their results, as one round.
 */
export async function judgeCall(
  run: HostRun,
  call: HostCall,
  action: () => unknown,
  signal: unknown,
): Promise<unknown> {
  const answer = run.call(call);
  if (answer.action !== "run") throw new BlockedCall(answer);
  let output: unknown;
  try {
    output = await action();
  } catch (error) {
    if (!isCancelled(signal)) throw failureOf(run, answer.id, error);
    run.abandon(answer.id);
    throw error;
  }
  const words = run.result({ id: answer.id, output });
  if (words === undefined) return output;
  const spoken = appendWords(output ?? "", words);
  if (spoken === undefined) run.hold(words);
  return spoken ?? output;
}

/** A call that fails before its tool is run: the runner refused its arguments. Returns what to fail with. */
export function judgeRefusal(run: HostRun, call: HostCall, error: unknown): unknown {
  const answer = run.call(call);
  return answer.action === "run" ? failureOf(run, answer.id, error) : new BlockedCall(answer);
}

/** The very error of the tool, or one that inherits from it where words go along. */
function failureOf(run: HostRun, id: string, error: unknown): unknown {
  const words = run.result({ id, output: readOf(error), error: true });
  if (words === undefined) return error;
  const spoken = withWords(error, words);
  if (spoken === undefined) run.hold(words);
  return spoken ?? error;
}

/** Of a `ToolError` the model reads the content; of any other error the message. */
function readOf(error: unknown): unknown {
  if (hasContent(error)) return error.content;
  return error instanceof Error ? error.message : String(error);
}

function withWords(error: unknown, words: string): unknown {
  const spoken = appendToError(error, words);
  if (!hasContent(error)) return spoken;
  const value = appendWords(error.content, words);
  if (value === undefined) return undefined;
  return Object.defineProperty(spoken as Error, "content", { value, configurable: true, writable: true });
}

function hasContent(error: unknown): error is Error & { content: unknown } {
  return error instanceof Error && "content" in error;
}
