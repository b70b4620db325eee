import type { Digest } from "../core/identity/digest.ts";
import type { Step } from "../core/memory/step.ts";
import type { Habits, RepeatedCall } from "./report/report.ts";
import type { RunHabits } from "./run-record.ts";
import type { WorkPart } from "./work/run-work.ts";

/** Watches what a run repeats for good reasons, apart from loops. */
export interface HabitWatch {
  /** `reason`: why the call added nothing. `label` describes the call. It is called rarely. */
  note(step: Step, reason: string | undefined, label: () => string | undefined): void;
  /** Ends the run. `isInLoop` says whether a call belongs to a loop. */
  finish(isInLoop: (key: Digest) => boolean): Omit<RunHabits, "files">;
}

interface Repeated {
  readonly what: string;
  times: number;
  /** How often it came back in a row with nothing new. */
  barren: number;
  readonly reasons: Map<string, number>;
}

const MAX_CALLS = 500;
const MAX_LISTED = 3;
/** A call that was made twice is nothing to talk about. */
const LEAST_TIMES = 3;
const LEAST_BARREN = 2;

export function createHabitWatch(): HabitWatch {
  const repeated = new Map<Digest, Repeated>();

  return {
    note(step, reason, label) {
      if (step.isNewCall) return;
      const known = repeated.get(step.key);
      if (known === undefined && repeated.size >= MAX_CALLS) return;
      const entry = known ?? { what: label() ?? "", times: 1, barren: 1, reasons: new Map<string, number>() };
      if (known === undefined) repeated.set(step.key, entry);
      entry.times++;
      if (reason !== undefined) entry.reasons.set(reason, (entry.reasons.get(reason) ?? 0) + 1);
      else if (step.added > 0) entry.barren = Math.max(entry.barren, step.repeats);
    },
    finish(isInLoop) {
      const others = [...repeated].flatMap(([key, entry]) => (isInLoop(key) || entry.what === "" ? [] : [entry]));
      const [near] = others
        .filter(({ barren }) => barren >= LEAST_BARREN)
        .sort((one, other) => other.barren - one.barren);
      const most = others.filter(({ times }) => times >= LEAST_TIMES).sort((one, other) => other.times - one.times);
      return {
        repeated: most
          .slice(0, MAX_LISTED)
          .map(({ what, times, reasons }) => ({ what, times, reason: mostOf(reasons) })),
        nearest: near === undefined ? null : { what: near.what, times: near.barren },
      };
    },
  };
}

function mostOf(reasons: ReadonlyMap<string, number>): string | null {
  return [...reasons].sort((one, other) => other[1] - one[1])[0]?.[0] ?? null;
}

const MAX_REPORTED = 5;

/** Adds up the habits of runs. Only runs without copies tell what they repeated. */
export function habitsOf(
  runs: readonly {
    readonly id: string;
    readonly record: {
      readonly work: readonly Pick<WorkPart, "calls" | "failed" | "tests" | "edits">[];
      readonly habits: Pick<RunHabits, "repeated" | "nearest"> | null;
    };
  }[],
): Habits {
  const parts = runs.flatMap(({ record: { work } }) => work);
  const known = runs.flatMap(({ id, record: { habits } }) => (habits === null ? [] : [{ id, ...habits }]));
  const sum = (key: "calls" | "failed" | "tests" | "edits"): number => parts.reduce((all, part) => all + part[key], 0);
  const byTimes = (one: RepeatedCall, other: RepeatedCall): number =>
    other.times - one.times || (one.session < other.session ? -1 : 1);
  const repeated = known.flatMap(({ id, repeated: list }) => list.map((call) => ({ ...call, session: id })));
  const near = known.flatMap(({ id, nearest }) =>
    nearest === null ? [] : [{ ...nearest, session: id, reason: null }],
  );
  return {
    calls: sum("calls"),
    failedCalls: sum("failed"),
    testRuns: sum("tests"),
    edits: sum("edits"),
    repeated: repeated.sort(byTimes).slice(0, MAX_REPORTED),
    nearest: near.sort(byTimes)[0] ?? null,
  };
}
