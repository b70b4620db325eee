import { isObject } from "../../core/identity/read-object.ts";
import { appendToError, appendToText, isJsonText } from "../../host/append-words.ts";
import { BlockedCall, isCancelled } from "../../host/host-errors.ts";
import type { HostRun } from "../../host/host-run.ts";
import { modelValue } from "../../host/model-value.ts";
import { type EarlyRefusals, guardNeedsApproval } from "./early-refusals.ts";
import { noteStop } from "./loop-stop.ts";
import { modelOutputWith, overridable } from "./model-output.ts";
import type { ExecuteOptions, ToolLike } from "./settings.ts";

type Execute = (this: unknown, input: unknown, options: ExecuteOptions) => unknown;

/** Finds the runs of calls. Never throws. */
export interface CallRuns {
  /** Undefined if the SDK did not make this call. */
  ofCall(input: unknown, options: ExecuteOptions): HostRun | undefined;
  noteError?(error: object, run: HostRun): void;
  readonly early?: EarlyRefusals;
  /** Adds words to a result, if the model reads what `execute` returns. Undefined if there is no room. */
  readonly speak?: (output: unknown, words: string) => unknown;
}

export function guardTools(tools: object, runs: CallRuns): object {
  return Object.fromEntries(
    Object.entries(tools).map(([name, tool]) => [name, isObject(tool) ? guardTool(name, tool, runs) : tool]),
  );
}

/** Wraps `execute` of a tool. A tool without `execute`, which the client or the provider runs, is returned unchanged. */
function guardTool(name: string, tool: ToolLike, runs: CallRuns): ToolLike {
  if (typeof tool.execute !== "function") return tool;
  const execute = tool.execute as Execute;
  const guarded = overridable(tool);
  const spoken = new WeakMap<object, string>();
  const owners = new WeakMap<object, HostRun | undefined>();

  /** Whether only this run was given an output. One that two runs were given, such as a constant, does not identify a call. */
  const isOwn = (output: object, run: HostRun): boolean => {
    const owner = !owners.has(output) || owners.get(output) === run ? run : undefined;
    owners.set(output, owner);
    return owner !== undefined;
  };

  /**
   * Adds words to what the model reads. The output itself goes to the user's screen, so it stays as it is. The exception is text where
   * the call cannot be recognised again: without an object as input.
   */
  const addWords = (run: HostRun, input: unknown, output: unknown, words: string | undefined): unknown => {
    if (isObject(output)) spoken.delete(output);
    const carrier = isObject(output) && isOwn(output, run) ? output : undefined;
    if (words === undefined) return output;
    const replaced = runs.speak?.(output, words);
    if (replaced !== undefined) return replaced;
    const isProse = typeof output === "string" && !isJsonText(output);
    if (isProse && !isObject(input) && tool.toModelOutput === undefined) return appendToText(output, words);
    const carriers = runs.speak === undefined ? [input, carrier].filter(isObject) : [];
    if (carriers.length === 0) run.hold(words);
    for (const each of carriers) spoken.set(each, words);
    // Replaced only when there are words, so that other tools stay exactly as they were.
    guarded.override("toModelOutput", modelOutputWith(tool, spoken));
    return output;
  };

  const guardedExecute = function (this: unknown, input: unknown, options: ExecuteOptions): unknown {
    // WorkflowAgent calls functions that belong to no object: a step that gets its tool as `this` cannot be written down. In code that
    // is not strict, as its bundles are, no object is the global one.
    const self = this === undefined || this === globalThis ? undefined : tool;
    const judged = runs.early?.judged(input);
    const run = judged?.run ?? runs.ofCall(input, options);
    if (run === undefined) return execute.call(self, input, options);
    const answer = judged?.answer ?? run.call({ id: options.toolCallId, tool: name, args: input });
    if (answer.action !== "run") {
      const refusal = new BlockedCall(answer);
      runs.noteError?.(refusal, run);
      noteStop(refusal, run);
      throw refusal;
    }
    const observe = (output: unknown, error: boolean): string | undefined => {
      const words = run.result({ id: answer.id, output, error });
      noteStop(input, run);
      return words;
    };
    // If the tool has its own `toModelOutput`, the model may read more than the JSON of the output.
    const read = typeof tool.toModelOutput === "function" ? (output: unknown) => output : modelValue;
    const succeed = (output: unknown): unknown => addWords(run, input, output, observe(read(output), false));
    const fail = (error: unknown): never => {
      if (isCancelled(options.abortSignal)) {
        run.abandon(answer.id);
        throw error;
      }
      const words = observe(messageOf(error), true);
      const spokenError = words === undefined ? undefined : appendToError(error, words);
      if (words !== undefined && spokenError === undefined) run.hold(words);
      throw spokenError ?? error;
    };
    return settle(() => execute.call(self, input, options), succeed, fail);
  };
  guarded.override("execute", guardedExecute);
  if (tool.needsApproval && runs.early) guarded.override("needsApproval", guardNeedsApproval(name, tool, runs.early));
  return guarded.object;
}

/** Returns a tool's output in the way the tool does: synchronously, as a promise, or piece by piece. */
function settle(run: () => unknown, succeed: (output: unknown) => unknown, fail: (error: unknown) => never): unknown {
  let outcome: unknown;
  try {
    outcome = run();
  } catch (error) {
    return fail(error);
  }
  if (isAsyncIterable(outcome)) return iterate(outcome, succeed, fail);
  if (isPromiseLike(outcome)) return Promise.resolve(outcome).then(succeed, fail);
  return succeed(outcome);
}

/** The last piece is the result. If words change it, it is sent as one more piece. */
async function* iterate(
  pieces: AsyncIterable<unknown>,
  succeed: (output: unknown) => unknown,
  fail: (error: unknown) => never,
): AsyncGenerator<unknown> {
  let last: unknown;
  try {
    for await (const piece of pieces) {
      last = piece;
      yield piece;
    }
  } catch (error) {
    fail(error);
  }
  const output = succeed(last);
  if (output !== last) yield output;
}

/** The text of a failure, as the agent reads it. */
function messageOf(error: unknown): unknown {
  return error instanceof Error ? error.message : error;
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return isObject(value) && typeof (value as Partial<AsyncIterable<unknown>>)[Symbol.asyncIterator] === "function";
}

export function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return isObject(value) && typeof (value as Partial<PromiseLike<unknown>>).then === "function";
}
