import type { LoopStop } from "../../host/host-options.ts";
import type { RequestArgs } from "./config.ts";

/** What stands in for an answer of the model: pieces of a stream, in the host's wording. */
interface EndingAnswer {
  readonly response: { readonly chunks: readonly { readonly type: string; readonly payload: object }[] };
}

/**
 * How a run is ended. `tripwire`: for the program, which finds the end in the result · `answer`: for another agent, which reads nothing but
 * what was answered.
 */
export type Ending = "tripwire" | "answer";

/** Ends a run in place of its next request. */
export async function endRun(
  stop: LoopStop,
  ending: Ending,
  { abort, save }: Pick<RequestArgs, "abort"> & { save(): Promise<void> },
): Promise<EndingAnswer> {
  // Told of the agent that was ended, not to it: the words for the model speak to another.
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
