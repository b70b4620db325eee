import { type ForeignRecord, listOf, textOf } from "../../transcripts/foreign-value.ts";
import { TRIAL_STEPS } from "../doctor/agent-doctor.ts";
import type { BatchResult, Dialect, EarlierMoment, HookInput, HookMoment } from "../hook/dialect.ts";
import { readTail } from "./read-tail.ts";
import { createOpenCalls, stepOf } from "./steps.ts";

/** Fewer than the ids that are remembered, so that no result counts twice. */
const MAX_RESULTS = 64;
const MAX_EARLIER = 16;

/**
 * The hooks of Antigravity CLI, from its documentation. They run before and after each answer of the model, and are told nothing but the
 * path of the transcript, which has the calls and their results.
 *
 * `PreToolUse` is not used. It wants a permission for each call: an empty object refuses the call, and reports disagree on what an empty
 * answer does. So no call can be refused. Both events look the same, so they get the same answers, although only the one after an answer
 * is documented to end a run.
 */
export const antigravityCliHook: Dialect = {
  abilities: { nudge: "result", block: false, stop: "clean" },
  tellsRounds: true,
  isOf: (input) => textOf(input.conversationId) !== undefined && input.invocationNum !== undefined,
  read(input): HookInput | undefined {
    const session = textOf(input.conversationId);
    if (session === undefined || input.invocationNum === undefined) return undefined;
    const [folder] = listOf(input.workspacePaths);
    const moment = momentOf(stepsOf(input, session));
    return { event: "Invocation", session, agent: undefined, folder: textOf(folder), moment, canAsk: false };
  },
  write(answer) {
    if (answer.type === "words") return { injectSteps: [{ ephemeralMessage: answer.words }] };
    if (answer.type !== "end") return undefined;
    return { injectSteps: [{ ephemeralMessage: answer.explanation }], terminationBehavior: "terminate" };
  },
};

function stepsOf(input: ForeignRecord, session: string): readonly unknown[] {
  const trial = input[TRIAL_STEPS];
  return Array.isArray(trial) ? trial : readTail(input.transcriptPath, session);
}

/** What the latest steps say. Results before the user's latest words do not matter any more. */
function momentOf(steps: readonly unknown[]): HookMoment {
  const open = createOpenCalls();
  const earlier: EarlierMoment[] = [];
  let results: BatchResult[] = [];
  for (const step of steps.map(stepOf)) {
    if (step === undefined) continue;
    const call = open.take(step);
    if (call !== undefined && step.type === "result")
      results.push({ call, output: step.output, ...(step.error !== undefined && { error: step.error }) });
    if (step.type !== "prompt" && step.type !== "compaction") continue;
    results = [];
    const moment =
      step.type === "prompt" ? ({ type: "user", text: step.text } as const) : ({ type: step.type } as const);
    earlier.push({ id: `step ${step.key}`, moment });
  }
  return { type: "batch", results: results.slice(-MAX_RESULTS), earlier: earlier.slice(-MAX_EARLIER) };
}
