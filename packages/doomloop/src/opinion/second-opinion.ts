import { aFunction, checkFields, integer, oneOf, requireFields, type Schema } from "../checks/check-options.ts";
import { safely } from "../core/faults.ts";
import type { AskingOptions } from "../core/options.ts";
import { MOST_QUESTIONS, type Question } from "../core/question.ts";
import type { SecondOpinion } from "../host/second-opinion.ts";
import { type AgentEvent, DoomloopError, type Guard, type GuardOptions } from "../index.ts";
import { createOpinionRequests, type OpinionRequest } from "./opinion-requests.ts";
import { readVerdict } from "./read-verdict.ts";
import type { ExcerptKind } from "./show-text.ts";

/** How another model is asked. */
export interface SecondOpinionOptions {
  /** Asks your model, and returns its answer as text or as the object it stands for. It may reject, and it may answer too late. */
  readonly ask: (request: OpinionRequest, signal: AbortSignal) => unknown;
  /**
   * What an excerpt shows: text that is cut and masked, or only shapes (names of tools and arguments, lengths, comparisons).
   * @default "text"
   */
  readonly shows?: ExcerptKind | undefined;
  /**
   * The most questions in a run.
   * @default 12
   */
  readonly questions?: number | undefined;
  /**
   * How long an answer is awaited. Nothing waits for it: until it comes, the rules decide alone.
   * @default 5_000
   */
  readonly timeoutMs?: number | undefined;
  /**
   * The tokens that the run has used so far, if you know them. Questions then take at most 2% of them.
   */
  readonly tokensUsed?: (() => number) | undefined;
}

const OPTIONS: Schema<keyof SecondOpinionOptions> = {
  ask: aFunction,
  shows: oneOf("text", "shapes"),
  questions: integer(0, 1000),
  timeoutMs: integer(1, 3_600_000),
  tokensUsed: aFunction,
};

const TIMEOUT_MS = 5_000;
const SHARE = 0.02;
/** Tokens of the system text, which never changes, and of an answer. */
const CONSTANT_TOKENS = 1_100;
const CHARACTERS_PER_TOKEN = 4;
const NO_VERDICT = "secondOpinion: the answer is not a verdict";

/** A second opinion by a function of yours. Pass it to an adapter as `secondOpinion`, or to {@link guardWith}. */
export function secondOpinion(options: SecondOpinionOptions): SecondOpinion {
  // Who misspells "shapes" would send text.
  const { ask } = checkFields("secondOpinion: ", requireFields("secondOpinion", options), OPTIONS);
  if (ask === undefined) throw new DoomloopError("invalid-option", "secondOpinion: ask: a function is required");
  const { shows = "text", questions = MOST_QUESTIONS, timeoutMs = TIMEOUT_MS, tokensUsed } = options;
  return {
    questions,
    attach(guard, onFault) {
      const requests = createOpinionRequests(shows);
      let spent = 0;
      let isAsking = false;
      let ended = new AbortController();

      const isAffordable = ({ message }: OpinionRequest): boolean => {
        const cost = CONSTANT_TOKENS + message.length / CHARACTERS_PER_TOKEN;
        const used = tokensUsed?.();
        // What is no number is no permission.
        if (tokensUsed !== undefined && !(spent + cost <= SHARE * Number(used))) return false;
        spent += cost;
        return true;
      };

      const answer = async (question: Question): Promise<void> => {
        const asked = requests.requestFor(question);
        if (asked === undefined || !isAffordable(asked)) return;
        // A run that was ended may go on.
        if (ended.signal.aborted) ended = new AbortController();
        const said = await withTimeout(
          (signal) => options.ask(asked, AbortSignal.any([ended.signal, signal])),
          timeoutMs,
        );
        // Whoever does not want to answer says nothing.
        if (said === undefined || said === null) return;
        const verdict = readVerdict(said);
        if (verdict === undefined) throw new DoomloopError("misuse", NO_VERDICT);
        guard.observe({ type: "opinion", question: question.id, ...verdict });
      };

      /** One question at a time: if an answer takes so long that the next question comes, that one is left to the rules. */
      const answerNext = (question: Question): void => {
        if (isAsking) return;
        isAsking = true;
        answer(question)
          .catch(onFault)
          .finally(() => {
            isAsking = false;
          });
      };

      const observe = (event: AgentEvent) => {
        safely(() => requests.take(event), onFault);
        const decision = guard.observe(event);
        if (decision.action === "stop") ended.abort();
        else if (decision.question !== undefined) answerNext(decision.question);
        return decision;
      };
      const hearRequest = (text: string): void => safely(() => requests.hear(text), onFault);
      return { ...guard, observe, hearRequest };
    },
  };
}

/** A guard that asks. For loops of your own; adapters take `secondOpinion` themselves. */
export function guardWith<Watched extends Guard>(
  opinion: SecondOpinion,
  createGuard: (options: GuardOptions) => Watched,
  onFault: (fault: unknown) => unknown = () => undefined,
): Watched {
  const asking: GuardOptions & AskingOptions = { questions: opinion.questions };
  return opinion.attach(createGuard(asking), onFault);
}

/** Resolves with what `action` resolves with, or rejects when the time is over, even if it ignores the signal. */
function withTimeout(action: (signal: AbortSignal) => unknown, ms: number): Promise<unknown> {
  const controller = new AbortController();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      controller.abort();
      reject(new DoomloopError("misuse", `secondOpinion: no answer within ${ms} ms`));
    }, ms);
    // A question must not keep a process alive.
    (timer as { unref?: () => void }).unref?.();
    new Promise((settle) => settle(action(controller.signal))).then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
