import { digestOf, digestToHex } from "../core/identity/digest.ts";
import { ID_DIGITS as ANSWER_DIGITS } from "./costs/spending.ts";
import { countOnce } from "./count-once.ts";
import type { FoundFile } from "./find-transcripts.ts";
import type { RunRecord, StepRecord } from "./run-record.ts";

/** A run as the scan found it. */
export interface AddedRun {
  readonly record: RunRecord;
  readonly file: FoundFile;
  /** Index among the runs of its file. */
  readonly place: number;
  readonly steps: StepRecord | undefined;
}

/** A run with a unique id, without answers that belong to another run. */
export interface UniqueRun extends AddedRun {
  readonly id: string;
  /** For a subagent's run, the id of the main agent's run. */
  readonly partOf: string | null;
  /** How many earlier runs in the file have the same name. */
  readonly before: number;
}

const ID_DIGITS = 10;

/** A short id for a run. It is the same in every scan. Several runs may share it. */
export function sessionId({ agent, run }: Pick<RunRecord, "agent" | "run">): string {
  return digestToHex(digestOf(`${agent}\n${run}`)).slice(0, ID_DIGITS);
}

/**
 * Gives each run a unique id, and counts answers that several runs share only once.
 *
 * Files arrive in any order, from threads and from the cache. The result depends only on the runs' content and paths.
 */
export function dedupeRuns(added: readonly AddedRun[]): readonly UniqueRun[] {
  const used = new Set<string>();
  const countBefore = createNameCounter();
  const named = [...added]
    .sort(byPlace)
    .map((run) => ({ ...run, id: uniqueName(used, sessionId(run.record)), before: countBefore(run) }));
  const byAge = [...named].sort(byTime);
  const counted = countOnce(byAge.map(({ record }) => record));
  const recordOf = new Map(byAge.map(({ id }, at) => [id, counted[at]]));
  const mains = mainRuns(named, sessionId);
  const kept = named.filter(({ id }) => recordOf.get(id) !== undefined);
  const wholes = new Map(
    named.flatMap((run) => (recordOf.get(run.id) === undefined ? [[run.id, wholeOf(run, kept)?.id]] : [])),
  );
  return kept.map((run) => {
    const main = mains.get(run.id) ?? null;
    const partOf = main === null ? null : (wholes.get(main) ?? main);
    return { ...run, record: recordOf.get(run.id)!, partOf };
  });
}

/** The run that goes on where another one ended, in another file: its subagents belong to it. */
function wholeOf<Run extends AddedRun>({ record }: Run, runs: readonly Run[]): Run | undefined {
  const last = record.answers!.ids.slice(-ANSWER_DIGITS);
  return runs.find(
    (run) => run.record.startedAt === record.startedAt && run.record.answers?.ids.includes(last) === true,
  );
}

/** Returns how many runs with the same name came before in the same file. */
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

/**
 * Sorts a run before the parts of it that other files hold: all start at the same time, and the whole ends last. So a
 * session that was resumed in another file is one run, with the loops that go on in it.
 */
function byTime(one: AddedRun, other: AddedRun): number {
  return (
    compared(one.record.startedAt, other.record.startedAt) ||
    compared(other.record.endedAt, one.record.endedAt) ||
    byPlace(one, other)
  );
}

/** Earlier first; runs without a time come last. */
function compared(one: number | null, other: number | null): number {
  return one === other ? 0 : (one ?? Number.POSITIVE_INFINITY) - (other ?? Number.POSITIVE_INFINITY);
}

/** The name itself, or the name with a number appended if it is taken. */
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
 * Maps each run's id to the id of the main agent's run that started it, directly or through other subagents. Maps a
 * main agent's own run to null.
 *
 * If the main run is not in the list, it gets the id that it would have.
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
    // The parents come from the transcript. If they form a circle, no run is the main one.
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
