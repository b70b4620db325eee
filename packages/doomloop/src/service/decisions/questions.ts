import { safely } from "../../core/faults.ts";
import type { CoreGuard } from "../../core/guard.ts";
import type { OpinionVerdict, Question, QuestionReason } from "../../core/question.ts";
import type { GuardConfig } from "../../counting/configured-guard.ts";
import type { SecondOpinion } from "../../host/second-opinion.ts";
import { askEndpoint, type OpinionEndpoint } from "../../opinion/ask-endpoint.ts";
import { createOpinionRequests, type OpinionRequest } from "../../opinion/opinion-requests.ts";
import type { PolicyOptions } from "./policies.ts";

/** A question as a client gets it: with what to ask a model. */
export interface ClientQuestion extends Question {
  /** Missing if too little of the run was seen here. */
  readonly request?: Omit<OpinionRequest, "question">;
}

/** What clients do about questions. `cannot`: a gateway has no way to answer. */
type ClientPart = "answers" | "may" | "cannot";

/** How the questions of one run are answered. */
interface QuestionTerms {
  /** The options of its guard. */
  readonly options: GuardConfig;
  /** Whether the latest steps are kept in memory, to show them to a model. */
  readonly isRecorded: boolean;
  /** The guard, with its questions answered, or worded for its client. */
  attach<Watched extends Pick<CoreGuard, "observe" | "stats">>(guard: Watched): Watched;
}

/** Decides who answers the questions of a run: its client if it asked for them, else the service if it can. */
export type Questions = (options: PolicyOptions, client: ClientPart) => QuestionTerms;

/** What is counted. */
export interface QuestionCounts {
  asked(by: "client" | "service", why: QuestionReason): void;
  answered(verdict: OpinionVerdict | "late"): void;
  /** The endpoint gave no usable answer. */
  failed(fault: unknown): void;
}

const UNCOUNTED: QuestionCounts = { asked() {}, answered() {}, failed() {} };

/** Throws a `DoomloopError` for an endpoint that cannot be asked. */
export function checkEndpoint(endpoint: OpinionEndpoint): void {
  askEndpoint(endpoint);
}

/** Answers questions by an endpoint, if there is one. */
export function createQuestions(endpoint?: OpinionEndpoint, counts: QuestionCounts = UNCOUNTED): Questions {
  const opinions = endpoint && {
    text: askEndpoint(endpoint),
    shapes: askEndpoint({ ...endpoint, shows: "shapes" }),
  };
  return ({ opinionShows = "text", questions: wanted, ...options }, client) => {
    const opinion = client === "answers" ? undefined : opinions?.[opinionShows];
    const questions = wanted ?? opinion?.questions ?? 0;
    if (questions === 0 || (client === "cannot" && opinion === undefined))
      return { options, isRecorded: false, attach: (guard) => guard };
    const by = opinion === undefined ? "client" : "service";
    return {
      options: { ...options, questions },
      isRecorded: true,
      attach(guard) {
        const counted = withCounts(guard, by, counts);
        return opinion === undefined
          ? withRequests(counted, opinionShows, counts.failed)
          : withAnswers(counted, opinion, counts.failed);
      },
    };
  };
}

type Watched = Pick<CoreGuard, "observe" | "stats">;

function withCounts<Guard extends Watched>(guard: Guard, by: "client" | "service", counts: QuestionCounts): Guard {
  const observe: Watched["observe"] = (event) => {
    if (event.type !== "opinion") {
      const decision = guard.observe(event);
      if (decision.question !== undefined) counts.asked(by, decision.question.why);
      return decision;
    }
    const { late } = guard.stats().opinions;
    const decision = guard.observe(event);
    counts.answered(guard.stats().opinions.late > late ? "late" : event.verdict);
    return decision;
  };
  return { ...guard, observe };
}

/** The client answers: each question comes with what to ask a model. */
function withRequests<Guard extends Watched>(
  guard: Guard,
  shows: "text" | "shapes",
  onFault: (fault: unknown) => void,
): Guard {
  const requests = createOpinionRequests(shows);
  const observe: Watched["observe"] = (event) => {
    safely(() => requests.take(event), onFault);
    const decision = guard.observe(event);
    const { question } = decision;
    const made = question && safely(() => requests.requestFor(question), onFault);
    if (question === undefined || made === undefined) return decision;
    const { system, message, maxTokens } = made;
    return { ...decision, question: { ...question, request: { system, message, maxTokens } } satisfies ClientQuestion };
  };
  return { ...guard, observe };
}

/** The service answers: clients see no question. */
function withAnswers<Guard extends Watched>(
  guard: Guard,
  opinion: SecondOpinion,
  onFault: (fault: unknown) => void,
): Guard {
  const asking = opinion.attach(guard, onFault);
  const observe: Watched["observe"] = (event) => {
    const decision = asking.observe(event);
    if (decision.question === undefined) return decision;
    const { question: _, ...rest } = decision;
    return rest;
  };
  return { ...asking, observe };
}
