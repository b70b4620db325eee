import type { HostRun } from "../host/host-run.ts";
import { type HookAnswer, NOTHING } from "./hook-answer.ts";
import type { HookCall, HookInput } from "./hook-input.ts";

export interface AnswerOptions {
  /** Whether the agent tells when the calls of an answer are over: then an answer is a round, else rounds are inferred. */
  readonly tellsRounds: boolean;
  /** A person is there: nothing is refused without a question. */
  readonly isAttended: boolean;
}

/** Tells a run what a hook was told, and answers what the run says. Never allows a call: that would skip the question to the person. */
export function answerHook({ moment }: HookInput, run: HostRun, options: AnswerOptions): HookAnswer {
  const beginRound = (): void => void (options.tellsRounds && run.round());
  switch (moment.type) {
    case "call":
      return before(moment.call, run, options);
    case "result":
      return after(run, run.result({ id: moment.call.id, output: moment.output, error: moment.error }));
    case "batch": {
      // Calls that a person or another hook refused have no other result. One that was heard already is not heard again.
      const words = moment.results.map(({ call, output }) => run.result({ id: call.id, output })).filter(Boolean);
      beginRound();
      return after(run, words.join("\n\n"));
    }
    case "user":
      run.user(moment.text);
      beginRound();
      return NOTHING;
    case "task":
      run.user();
      beginRound();
      return NOTHING;
    case "answer":
      run.text(moment.text);
      return NOTHING;
    case "compaction":
      run.compaction();
      return NOTHING;
  }
}

function before({ id, tool, args }: HookCall, run: HostRun, { isAttended }: AnswerOptions): HookAnswer {
  const answer = run.call({ id, tool, args });
  if (answer.action === "run") return NOTHING;
  const explanation = run.stopped()?.explanation ?? answer.explanation ?? answer.message;
  if (isAttended) return { type: "question", question: explanation };
  return { type: "refusal", words: answer.message, isEnd: answer.action === "stop", explanation };
}

function after(run: HostRun, words: string | undefined): HookAnswer {
  const stop = run.stopped();
  if (stop !== undefined) return { type: "end", explanation: stop.explanation };
  return words ? { type: "words", words } : NOTHING;
}
