import type { HostRun } from "../../host/host-run.ts";
import type { Dialect } from "./dialect.ts";
import { type HookAnswer, NOTHING } from "./hook-answer.ts";
import type { HookCall, HookInput } from "./hook-input.ts";
import { isQuiet, wordsInstead } from "./rollback.ts";

export interface AnswerOptions {
  readonly dialect: Dialect;
  /** Whether this agent tells when the calls of an answer are over. Some versions do not. */
  readonly tellsRounds: boolean;
  /** A person is there: nothing is refused without a question. */
  readonly isAttended: boolean;
  /** The question to that person. */
  question(): string;
}

/** Tells a run what a hook was told, and answers what the run says. Never allows a call: that would skip the question to the person. */
export function answerHook({ moment }: HookInput, run: HostRun, options: AnswerOptions): HookAnswer {
  const { dialect, tellsRounds } = options;
  // Where the agent tells when the calls of an answer are over, an answer is a round; else rounds are inferred.
  const beginRound = (): void => void (tellsRounds && run.round());
  const after = (words: string | undefined): HookAnswer => {
    const stop = run.stopped();
    if (stop?.action === "stop") return { type: "end", explanation: stop.explanation };
    const isInstead = stop !== undefined && isQuiet(moment, dialect);
    const said = isInstead ? wordsInstead(stop, dialect.abilities, false) : words;
    return said ? { type: "words", words: said } : NOTHING;
  };
  switch (moment.type) {
    case "call":
      return before(moment.call, run, options);
    case "result":
      return after(run.result({ id: moment.call.id, output: moment.output, error: moment.error }));
    case "batch": {
      // Calls that a person or another hook refused have no other result. One that was heard already is not heard again.
      const words = moment.results.map(({ call, output }) => run.result({ id: call.id, output })).filter(Boolean);
      beginRound();
      return after(words.join("\n\n"));
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

function before({ id, tool, args }: HookCall, run: HostRun, options: AnswerOptions): HookAnswer {
  const { isAttended, dialect } = options;
  const answer = run.call({ id, tool, args });
  if (answer.action === "run") return NOTHING;
  const stop = run.stopped();
  const explanation = stop?.explanation ?? answer.explanation ?? answer.message;
  if (isAttended) return { type: "question", question: options.question() };
  if (stop?.action !== "restart")
    return { type: "refusal", words: answer.message, isEnd: answer.action === "stop", explanation };
  const words = stop.callId === id ? wordsInstead(stop, dialect.abilities, true) : NOT_RUN;
  return { type: "refusal", words, isEnd: false, explanation };
}

/** To what else an agent wanted to do when it was to start over. */
const NOT_RUN = "[doomloop] This call was not run.";
