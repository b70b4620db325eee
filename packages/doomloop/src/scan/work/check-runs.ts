import type { CheckRuns } from "../report/work.ts";

/** Counts how often checks ran and failed: tests, linters, type checks, builds. */
export interface CheckWatch {
  note(what: string, isFailing: boolean): void;
  finish(): readonly CheckRuns[];
}

/** Other checks of the run are left out. */
const MAX_CHECKS = 100;
const MAX_LISTED = 20;

export function createCheckWatch(): CheckWatch {
  const checks = new Map<string, { runs: number; failed: number }>();
  return {
    note(what, isFailing) {
      const known = checks.get(what);
      if (known === undefined && checks.size >= MAX_CHECKS) return;
      const check = known ?? { runs: 0, failed: 0 };
      if (known === undefined) checks.set(what, check);
      check.runs++;
      if (isFailing) check.failed++;
    },
    finish: () => joinChecks([[...checks].map(([what, counted]) => ({ what, ...counted }))], MAX_LISTED),
  };
}

/** Adds up the checks of several runs. The one that failed most comes first. */
export function joinChecks(all: readonly (readonly CheckRuns[])[], most: number): readonly CheckRuns[] {
  const joined = new Map<string, CheckRuns>();
  for (const { what, runs, failed } of all.flat()) {
    const known = joined.get(what);
    joined.set(what, { what, runs: runs + (known?.runs ?? 0), failed: failed + (known?.failed ?? 0) });
  }
  return [...joined.values()]
    .sort((one, other) => other.failed - one.failed || other.runs - one.runs || (one.what < other.what ? -1 : 1))
    .slice(0, most);
}
