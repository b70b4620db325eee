import { digestOf, digestToHex } from "../../core/identity/digest.ts";
import { countOnce } from "./count-once.ts";
import type { FoundFile } from "./find-transcripts.ts";
import type { RunRecord, StepRecord } from "./run-record.ts";
import { uniqueName } from "./unique-name.ts";

/** A run as it was found. */
export interface AddedRun {
  readonly record: RunRecord;
  readonly file: FoundFile;
  /** Its place among the runs of its file. */
  readonly place: number;
  readonly steps: StepRecord | undefined;
}

const ID_DIGITS = 10;

/** A short name for a run, the same in every scan; runs may share it. */
export function sessionId({ agent, run }: RunRecord): string {
  return digestToHex(digestOf(`${agent}\n${run}`)).slice(0, ID_DIGITS);
}

/**
 * Gives each run a name of its own, and counts once what several of them hold.
 *
 * Files come in any order, from threads and from the cache: names and shares go by what the runs say and where they lie.
 */
export function settleRuns(added: readonly AddedRun[]): readonly (AddedRun & { readonly id: string })[] {
  const used = new Set<string>();
  const named = [...added].sort(byPlace).map((run) => ({ ...run, id: uniqueName(used, sessionId(run.record)) }));
  const byAge = [...named].sort(byTime);
  const counted = countOnce(byAge.map(({ record }) => record));
  const recordOf = new Map(byAge.map(({ id }, at) => [id, counted[at]]));
  return named.flatMap((run) => {
    const record = recordOf.get(run.id);
    return record === undefined ? [] : [{ ...run, record }];
  });
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
