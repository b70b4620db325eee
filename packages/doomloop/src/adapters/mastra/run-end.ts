import type { LoopStop } from "../../host/host-options.ts";
import type { RequestArgs } from "./config.ts";

/** An answer that replaces the model's: pieces of a stream, in Mastra's format. */
interface EndingAnswer {
  readonly response: { readonly chunks: readonly { readonly type: string; readonly payload: object }[] };
}

/**
 * How a run is ended. `tripwire`: for a program, which finds the end in the result · `answer`: for another agent, which reads only the
 * answer.
 */
export type Ending = "tripwire" | "answer";

/** The id of our processor. Its tripwire has it, too. */
export const PROCESSOR_ID = "doomloop";

/** A result of `generate` or `stream`, with the tripwire that ended the run. */
interface TrippedLike {
  readonly tripwire?: { readonly processorId?: string | undefined; readonly metadata?: unknown } | undefined;
}

/** Why the guard ended this run; undefined if it did not. A stream has its answer when it is over. */
export function loopStop(result: TrippedLike): LoopStop | undefined {
  const { processorId, metadata } = result?.tripwire ?? {};
  return processorId === PROCESSOR_ID ? (metadata as LoopStop | undefined) : undefined;
}

/** Ends a run instead of making its next request. */
export async function endRun(
  stop: LoopStop,
  ending: Ending,
  { abort, save }: Pick<RequestArgs, "abort"> & { save(): Promise<void> },
): Promise<EndingAnswer> {
  // The explanation, because the message addresses the agent that was ended, and another agent reads this.
  if (ending === "answer") return answerWith(stop.explanation);
  await save();
  return abort(stop.explanation, { metadata: stop });
}

const FINISH = {
  type: "finish",
  payload: {
    stepResult: { reason: "stop", warnings: [], isContinued: false },
    output: { usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 } },
    metadata: {},
    messages: { all: [], user: [], nonUser: [] },
  },
};

function answerWith(text: string): EndingAnswer {
  const id = "doomloop";
  const words = [
    { type: "text-start", payload: { id } },
    { type: "text-delta", payload: { id, text } },
    { type: "text-end", payload: { id } },
  ];
  return { response: { chunks: [...words, FINISH] } };
}

/** Mastra stores a request's memory options under this key. */
const MEMORY_KEY = "MastraMemory";

/** The settings of the agent's memory that are read before anything is saved. */
interface MemoryConfig {
  readonly readOnly?: boolean;
  readonly observationalMemory?: unknown;
}

interface MemoryLike {
  getMergedThreadConfig(config: unknown): MemoryConfig | undefined;
}

/**
 * Saves a turn that is about to end with a tripwire. Otherwise Mastra would forget it, the user's message included. It uses Mastra's own
 * function, and saves only if Mastra itself would have saved the step.
 *
 * @param memory the memory of the configuration
 */
export async function saveTurn(
  { requestContext }: RequestArgs,
  memory: unknown,
  save: (() => Promise<void>) | undefined,
): Promise<void> {
  if (save === undefined || memory === undefined) return;
  const resolved = (typeof memory === "function" ? await memory({ requestContext }) : memory) as MemoryLike;
  const wanted = requestContext?.get(MEMORY_KEY) as { readonly memoryConfig?: unknown } | undefined;
  const config = resolved.getMergedThreadConfig(wanted?.memoryConfig);
  if (config === undefined || config.readOnly || config.observationalMemory) return;
  await save();
}
