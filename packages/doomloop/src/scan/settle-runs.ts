import { digestOf, digestToHex } from "../core/identity/digest.ts";
import { countOnce } from "./count-once.ts";
import type { FoundFile } from "./find-transcripts.ts";
import type { RunRecord, StepRecord } from "./run-record.ts";

/** A run as it was found. */
export interface AddedRun {
  readonly record: RunRecord;
  readonly file: FoundFile;
  /** Its place among the runs of its file. */
  readonly place: number;
  readonly steps: StepRecord | undefined;
}

/** A run with what is its own. */
export interface SettledRun extends AddedRun {
  readonly id: string;
  /** The id of the main agent's run, if it is a subagent's. */
  readonly partOf: string | null;
  /** How many runs of its name stand before it in its file. */
  readonly before: number;
}

const ID_DIGITS = 10;

/** A short name for a run, the same in every scan; runs may share it. */
export function sessionId({ agent, run }: Pick<RunRecord, "agent" | "run">): string {
  return digestToHex(digestOf(`${agent}\n${run}`)).slice(0, ID_DIGITS);
}

/**
 * Gives each run a name of its own, and counts once what several of them hold.
 *
 * Files come in any order, from threads and from the cache: names and shares go by what the runs say and where they lie.
 */
export function settleRuns(added: readonly AddedRun[]): readonly SettledRun[] {
  const used = new Set<string>();
  const countBefore = createNameCounter();
  const named = [...added]
    .sort(byPlace)
    .map((run) => ({ ...run, id: uniqueName(used, sessionId(run.record)), before: countBefore(run) }));
  const byAge = [...named].sort(byTime);
  const counted = countOnce(byAge.map(({ record }) => record));
  const recordOf = new Map(byAge.map(({ id }, at) => [id, counted[at]]));
  const mains = mainRuns(named, sessionId);
  return named.flatMap((run) => {
    const record = recordOf.get(run.id);
    return record === undefined ? [] : [{ ...run, record, partOf: mains.get(run.id) ?? null }];
  });
}

/** Counts the runs of one name in one file. */
function createNameCounter(): (run: AddedRun) => number {
  const counts = new Map<string, number>();
  return ({ record: { agent, run }, file }) => {
    const name = `${file.path}\n${agent}\n${run}`;
    const before = counts.get(name) ?? 0;
    counts.set(name, before + 1);
    return before;
  };
}

function byPlace(one: AddedRun, other: AddedRun): number {
  return one.file.path === other.file.path ? one.place - other.place : one.file.path < other.file.path ? -1 : 1;
}

/** A copy begins with the original and ends after it. */
function byTime(one: AddedRun, other: AddedRun): number {
  return (
    compared(one.record.startedAt, other.record.startedAt) ||
    compared(one.record.endedAt, other.record.endedAt) ||
    byPlace(one, other)
  );
}

/** The earlier first, what has no time last. */
function compared(one: number | null, other: number | null): number {
  return one === other ? 0 : (one ?? Number.POSITIVE_INFINITY) - (other ?? Number.POSITIVE_INFINITY);
}

/** The name, or with a number behind it where it is used already. */
function uniqueName(used: Set<string>, name: string): string {
  let free = name;
  for (let again = 2; used.has(free); again++) free = `${name}-${again}`;
  used.add(free);
  return free;
}

interface NamedRun {
  readonly id: string;
  readonly record: Pick<RunRecord, "agent" | "run" | "parent">;
}

/**
 * The session that each run is part of, by the run's id: the run of the main agent, which started it or whoever started it. Null for a main
 * agent's own.
 *
 * A main run that is not among them is named all the same, by what it would be called.
 */
export function mainRuns(
  runs: readonly NamedRun[],
  idOf: (run: Pick<RunRecord, "agent" | "run">) => string,
): ReadonlyMap<string, string | null> {
  const byName = new Map<string, NamedRun>();
  for (const run of runs) {
    const name = nameOf(run.record);
    if (!byName.has(name)) byName.set(name, run);
  }
  return new Map(runs.map((run) => [run.id, mainOf(run, byName, idOf)]));
}

function mainOf(
  { record }: NamedRun,
  byName: ReadonlyMap<string, NamedRun>,
  idOf: (run: Pick<RunRecord, "agent" | "run">) => string,
): string | null {
  const { agent } = record;
  const passed = new Set([record.run]);
  let main: string | null = null;
  for (let { parent } = record; parent !== null; ) {
    // Somebody else wrote who started whom: where that leads in a circle, nobody is the main agent.
    if (passed.has(parent)) return null;
    passed.add(parent);
    const above = byName.get(nameOf({ agent, run: parent }));
    main = above?.id ?? idOf({ agent, run: parent });
    parent = above?.record.parent ?? null;
  }
  return main;
}

function nameOf({ agent, run }: Pick<RunRecord, "agent" | "run">): string {
  return `${agent}\n${run}`;
}
