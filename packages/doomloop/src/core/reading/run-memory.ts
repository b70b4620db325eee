import { NO_REQUEST, type Request } from "../hints/request.ts";
import type { Digest } from "../identity/digest.ts";
import type { Call, Failure, Outcome } from "../step.ts";
import { createMarks } from "./marks.ts";
import type { Measure } from "./measures.ts";
import type { Answers } from "./talk.ts";
import type { WordStream } from "./word-stream.ts";

/**
 * Whose world a call is about. `shared`: it is the same for all workers of a fleet · `own`: each worker, or each group of workers that
 * says so, has its own · `never`: the fleet hears nothing of it.
 */
export type FleetScope = "shared" | "own" | "never";

/** What a fleet counts a call under. `address`: it names only what is shared, but it may fail because of the worker's own world. */
export interface FleetIdentity {
  readonly scope: FleetScope | "address";
  readonly fingerprint: Digest;
}

/** A call whose result is awaited. */
export interface OpenCall {
  readonly call: Call;
  /** The arguments can be compared. If not, the call equals no other. */
  readonly isComparable: boolean;
  /** Equal for calls that are equal to the letter, or by what the rule of their tool names; undefined if nobody asks. */
  readonly strict: Digest | undefined;
  readonly shared: FleetIdentity | undefined;
  id: string | undefined;
  readonly at: number | undefined;
  /** Words of its arguments, so that what the result only repeats is known. */
  readonly said: readonly number[];
  /** The tool's name, as a word. */
  readonly named: number;
  readonly isCommand: boolean;
  /** The host says that it polls. */
  readonly isPoll: boolean;
  isRefused: boolean;
}

/** The latest result of a call: if it comes again, nothing need be read anew. */
export interface LatestResult {
  readonly call: number;
  readonly exact: number;
  readonly result: number;
  readonly form: number;
  readonly outcome: Outcome;
  readonly isDone: boolean;
  readonly failure: Failure | undefined;
}

/** A short answer of a tool. */
export interface ShortAnswer {
  readonly result: number;
  readonly length: number;
  /** The first two calls that got it, how often it came, and how often to a call that was made before. */
  readonly calls: readonly number[];
  readonly times: number;
  readonly repeats: number;
}

/** What reading remembers of a run: plain data with fixed limits. */
export type RunMemory = ReturnType<typeof createRunMemory>;

export function createRunMemory() {
  return {
    calls: 0,
    round: 0,
    results: 0,
    hasRounds: false,
    isRoundOver: true,
    /** The first call of this turn. */
    from: 0,
    open: [] as OpenCall[],
    refused: [] as OpenCall[],
    /** What was called, what came of it, and what succeeded; lines of results; words that the user or a result has named. */
    met: createMarks(),
    pieces: createMarks(),
    named: createMarks(),
    latest: [] as LatestResult[],
    /** Short answers, by a hash of the tool's name. */
    answersOf: [] as { readonly tool: number; readonly answers: readonly ShortAnswer[] }[],
    /** Ids that results have brought, and what they are called after. */
    brought: [] as { readonly word: number; readonly name: number }[],
    /** How long the run took to think before its latest new calls. */
    gaps: [] as number[],
    lastAt: undefined as number | undefined,
    /** How long the run has slept, in all and when each of the latest calls was made last. */
    sleptMs: 0,
    sleptAt: [] as { readonly call: number; readonly sleptMs: number }[],
    request: NO_REQUEST as Request,
    /** The stems of the user's earlier words, and how often they came: those that come again are a harness's. */
    userTexts: [] as { readonly stems: readonly number[]; times: number }[],
    /** The host's measures, by name; whether there are more than are kept. */
    measures: new Map<Digest, Measure>(),
    hasMoreMeasures: false,
    /** Steps in a row that took far too long, pauses included. */
    slowSteps: undefined as number | undefined,
    /** Words since the agent last acted or the user spoke. */
    answers: undefined as Answers | undefined,
    text: undefined as WordStream | undefined,
    reasoning: undefined as WordStream | undefined,
  };
}
