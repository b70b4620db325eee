import type { HostOptions, LoopStop } from "../host/host-options.ts";
import type { HostRun } from "../host/host-run.ts";
import { createHostRuns } from "../host/host-runs.ts";
import {
  answerTo,
  isAnswer,
  isNewTurn,
  type MessageLike,
  type NewMessage,
  observeProviderCalls,
  observeResult,
  openCalls,
} from "./messages.ts";
import { type RuntimeLike, runKey } from "./run-key.ts";

interface StateLike {
  // biome-ignore lint/suspicious/noExplicitAny: the host's class of messages is not repeated here; each is read as a MessageLike.
  messages: any[];
}

interface Update {
  // biome-ignore lint/suspicious/noExplicitAny: the host takes messages of its own class and plain ones, and types only the first.
  messages: any[];
  jumpTo?: "model" | "end";
}

type Hook = (state: StateLike, runtime: RuntimeLike) => Update | undefined;

/** A middleware of `createAgent`. */
export interface LoopGuard {
  name: string;
  beforeModel: { hook: Hook; canJumpTo: "end"[] };
  afterModel: { hook: Hook; canJumpTo: ("model" | "end")[] };
}

/**
 * Guards an agent of LangChain: `createAgent({ model, tools, middleware: [loopGuard()] })`.
 *
 * It reads the conversation before and after each model request and wraps no call, because a wrapper of tools or of the model
 * changes by its mere presence what the host does with errors. Each thread has a guard of its own; without threads, each run.
 *
 * Throws a `DoomloopError` for options that make no sense; nothing throws after that.
 */
export function loopGuard(options: HostOptions = {}): LoopGuard {
  const runs = createHostRuns(options, { nudge: "result", block: true, stop: "clean" });

  const hookOf =
    (act: (run: HostRun, messages: readonly MessageLike[]) => Update | undefined): Hook =>
    ({ messages }, runtime) => {
      try {
        const key = runKey(runtime);
        return key === undefined ? undefined : act(runs.of(key), messages);
      } catch (fault) {
        runs.reportFault(fault);
        return undefined;
      }
    };

  return {
    name: "doomloop",
    beforeModel: { canJumpTo: ["end"], hook: hookOf(readResults) },
    afterModel: { canJumpTo: ["model", "end"], hook: hookOf(judgeCalls) },
  };
}

function readResults(run: HostRun, messages: readonly MessageLike[]): Update | undefined {
  const results = messages.slice(messages.findLastIndex(isAnswer) + 1).filter(({ type }) => type === "tool");
  const spoken = results.map((message) => observeResult(run, message)).filter((message) => message !== undefined);
  if (isNewTurn(messages)) run.user();
  const stop = run.stopped();
  if (stop !== undefined) return { messages: [...spoken, lastWords(stop)], jumpTo: "end" };
  return spoken.length > 0 ? { messages: spoken } : undefined;
}

function judgeCalls(run: HostRun, messages: readonly MessageLike[]): Update | undefined {
  run.round();
  const answer = messages.findLast(isAnswer);
  if (answer !== undefined) observeProviderCalls(run, answer);
  const calls = openCalls(messages);
  const refused = calls.flatMap((call) => {
    const { action, ...rest } = run.call({ id: call.id, tool: call.name, args: call.args });
    return action === "run" || !("message" in rest) ? [] : [answerTo(call, rest.message)];
  });
  if (refused.length === 0) return undefined;
  // With a call left to run, the end waits for its result.
  if (refused.length < calls.length) return { messages: refused };
  const stop = run.stopped();
  // Without a jump the host takes an answered answer for the last one.
  if (stop === undefined) return { messages: refused, jumpTo: "model" };
  return { messages: [...refused, lastWords(stop)], jumpTo: "end" };
}

/** A conversation that ends with a tool's result is no valid beginning for the next turn of every provider. */
function lastWords({ message }: LoopStop): NewMessage {
  return { role: "assistant", content: message };
}
