import type { HostRun } from "../../host/host-run.ts";
import type { LoopStop } from "../../index.ts";
import { startOverMessage } from "../../workspace/start-over.ts";
import {
  type BatchResult,
  type Dialect,
  type HookAnswer,
  type HookCall,
  type HookInput,
  NOTHING,
  type TurnAbilities,
} from "./dialect.ts";
import { newWordsOf, type Turns } from "./turns.ts";

/** What is known about a run when an event arrives. */
export interface AnswerOptions {
  readonly dialect: Dialect;
  /** Whether this agent says when the calls of an answer are over. Some versions do not. */
  readonly tellsRounds: boolean;
  /** A person watches, so nothing is refused without a question. */
  readonly isAttended: boolean;
  /** The ids of calls that were reported before. */
  readonly reported: ReadonlySet<string>;
  /** The prompt comes from the agent itself or from another hook. */
  readonly isByHost: boolean;
  /** A turn has ended since the user spoke. */
  readonly isRestarted: boolean;
  /** A program has sent the prompt of this turn, and will send the next one, which can be answered. */
  readonly isPrompted: boolean;
  /** What was said in the turns since. */
  readonly said: Turns["said"];
  /** What is said between two turns. */
  between(able: TurnAbilities | undefined): HookAnswer;
  /** The question to that person. */
  question(): string;
}

/** Passes an event on to the run, and returns the run's answer. Never allows a call, because that would skip the agent's own question to the person. */
export function answerMoment(input: HookInput, run: HostRun, options: AnswerOptions): HookAnswer {
  const { moment } = input;
  const { dialect, tellsRounds } = options;
  // If the agent says when the calls of an answer are over, an answer is a round. Otherwise rounds are inferred.
  const beginRound = (): void => void (tellsRounds && run.round());
  const after = (words: string | undefined): HookAnswer => {
    const stop = run.stopped();
    if (stop?.action === "stop") return { type: "end", explanation: stop.explanation };
    if (stop !== undefined) return { type: "words", words: startOverWords(stop), isStartOver: true };
    return words ? { type: "words", words } : NOTHING;
  };
  switch (moment.type) {
    case "call":
      return before(moment.call, run, options);
    case "result":
      return after(run.result({ id: moment.call.id, output: moment.output, error: moment.error }));
    case "batch": {
      const words = moment.results.map((result) => afterBatch(result, run, options.reported)).filter(Boolean);
      beginRound();
      return after(words.join("\n\n"));
    }
    case "user":
      if (options.isByHost) return options.between(dialect.prompt);
      run.user(moment.text);
      // A person who writes the same again is a person. A script may not be.
      if (options.isAttended) run.user();
      beginRound();
      return NOTHING;
    case "task":
      run.user();
      beginRound();
      return NOTHING;
    case "turn":
      run.text(newWordsOf(moment, options.said));
      // Words make some agents take another turn. After a turn that the user asked for, nobody wants that.
      return options.isRestarted ? options.between(options.isPrompted ? undefined : dialect.turnEnd) : NOTHING;
    case "compaction":
      run.compaction();
      return NOTHING;
  }
}

/**
 * Reports a result that came with all others of its answer. A result that is known already is ignored. Calls that a person or another hook
 * refused have no other result. Calls that the agent itself rejected, such as one with wrong arguments, have no other event at all.
 */
function afterBatch(
  { call, output, error }: BatchResult,
  run: HostRun,
  reported: ReadonlySet<string>,
): string | undefined {
  const { id } = reported.has(call.id) ? call : run.call({ ...call, hasRun: true });
  return run.result({ id, output, error });
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
  // If the agent runs the call all the same, its result gets the words.
  if (!dialect.abilities.block) return NOTHING;
  return { type: "refusal", words: startOverWords(stop), isEnd: false, explanation, isStartOver: true };
}

/** What a run is told that gets a second chance: nobody can clear its conversation, and its files stay. */
function startOverWords({ findings }: LoopStop): string {
  return startOverMessage(findings, { isSameConversation: true, areFilesRestored: false });
}
