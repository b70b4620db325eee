import type { Request } from "../hints/request.ts";
import { NO_REQUEST } from "../hints/request.ts";
import { createMarks } from "../memory/marks.ts";
import type { Call, Failure, Outcome } from "../step.ts";

/** A call whose result is awaited. */
export interface OpenCall {
  readonly call: Call;
  id: string | undefined;
  readonly at: number | undefined;
  /** Words of its arguments, so that what the result only repeats is known. */
  readonly said: readonly number[];
  /** The tool's name, as a word. */
  readonly named: number;
  readonly isCommand: boolean;
  isRefused: boolean;
}

/** The latest result of a call: if it comes again, nothing need be read anew. */
interface LatestResult {
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
  };
}
