import { type JudgedRun, type JudgedSource, OURS } from "../judged-run.ts";

/** How many runs fare differently. */
export interface RunsCompared {
  readonly all: number;
  /** Anything that our guard says or does is another thing, as recorded, told otherwise, or going on. */
  readonly different: number;
  readonly newlySpoken: number;
  readonly silenced: number;
}

/** Compares what our guard made of the same runs twice. */
export function compareRuns(before: readonly JudgedSource[], after: readonly JudgedSource[]): RunsCompared {
  const runsIn = (sources: readonly JudgedSource[]): JudgedRun[] => sources.flatMap(({ runs }) => runs);
  const others = runsIn(after);
  const pairs = runsIn(before).map((run, at) => [run, others[at]!] as const);
  const count = (holds: (one: JudgedRun, other: JudgedRun) => boolean): number =>
    pairs.filter(([one, other]) => holds(one, other)).length;
  return {
    all: pairs.length,
    different: count((one, other) => deedsIn(one) !== deedsIn(other)),
    newlySpoken: count((one, other) => !isSpoken(one) && isSpoken(other)),
    silenced: count((one, other) => isSpoken(one) && !isSpoken(other)),
  };
}

function isSpoken({ spokeAt }: JudgedRun): boolean {
  return spokeAt[OURS]!.length > 0;
}

function deedsIn({ decisions, isBlocked, isStopped, variants, bite, row }: JudgedRun): string {
  return JSON.stringify([decisions, isBlocked, isStopped, variants, bite, row]);
}
