import type { GuardConfig } from "../../counting/configured-guard.ts";
import type { TranscriptReader } from "../../transcripts/reader.ts";
import type { ReportedRun } from "../report-builder.ts";
import type { FileRecord } from "../run-record.ts";
import { scanFile } from "../scan-file.ts";
import { type Change, changesFor, mergeOptions } from "./changes.ts";
import type { JudgedLoop } from "./marks.ts";

/** How many loops are marked as wrong, marked as right, and not marked. */
export interface Tally {
  readonly wrong: number;
  readonly right: number;
  readonly others: number;
}

/** A change, and the loops it would have avoided. */
export interface Trial {
  readonly change: Change;
  readonly avoided: Tally;
}

export interface TryOptions {
  readonly guardOptions: GuardConfig;
  readonly readers: readonly TranscriptReader[];
  readonly runs: readonly ReportedRun[];
  readonly signal: AbortSignal;
  readonly onTry: (tried: number, total: number) => void;
}

const MAX_PROPOSED = 3;

/**
 * Tries changes on the files with loops, and returns the best one for each subject.
 *
 * The best change avoids the most wrong loops, then the fewest right ones, then the fewest unmarked ones. If changes are
 * equal, the mildest comes first. A change that avoids more right loops than wrong ones is left out.
 */
export async function tryChanges(loops: readonly JudgedLoop[], options: TryOptions): Promise<readonly Trial[]> {
  const wrong = loops.filter(({ isRight }) => isRight === false);
  const wrongFirst = [...wrong, ...loops.filter(({ isRight }) => isRight !== false)];
  const changes = changesFor(wrong, options.guardOptions);
  const trials: Trial[] = [];
  for (const [at, change] of changes.entries()) {
    options.onTry(at, changes.length);
    const isSettled = ({ change: { subject }, avoided }: Trial): boolean =>
      subject === change.subject && avoided.wrong === tallyOf(wrong).wrong;
    if (options.signal.aborted || trials.some(isSettled)) continue;
    const avoided = tallyOf(await avoidedBy(change, wrongFirst, options));
    if (avoided.wrong > 0 && avoided.right <= avoided.wrong) trials.push({ change, avoided });
  }
  const subjects = trials.sort(byWorth).map(({ change }) => change.subject);
  return trials.filter((_, at) => subjects.indexOf(subjects[at]!) === at).slice(0, MAX_PROPOSED);
}

export function tallyOf(loops: readonly JudgedLoop[]): Tally {
  const countOf = (judgement: boolean | undefined): number =>
    loops.filter(({ isRight }) => isRight === judgement).length;
  return { wrong: countOf(false), right: countOf(true), others: countOf(undefined) };
}

async function avoidedBy(
  { patch }: Change,
  wrongFirst: readonly JudgedLoop[],
  { guardOptions, readers, runs, signal }: TryOptions,
): Promise<readonly JudgedLoop[]> {
  const scanOptions = {
    guardOptions: mergeOptions(guardOptions, patch),
    hasCosts: false,
    includesContent: false,
    signal,
  };
  const files = new Map<string, FileRecord>();
  const avoided: JudgedLoop[] = [];
  for (const loop of wrongFirst) {
    // Most changes avoid no wrong loop. Then the other files do not need to be read.
    if (loop.isRight !== false && avoided.length === 0) break;
    const { file, record, place } = runs.find(({ id }) => id === loop.session)!;
    const reader = readers.find(({ agent }) => agent === record.agent)!;
    const found = files.get(file.path) ?? (await scanFile(file.path, reader, scanOptions));
    files.set(file.path, found);
    // A file that can no longer be read keeps its old record. Records count calls from 0, reports from 1.
    const { loops: left } = found.runs[place] ?? record;
    if (!left.some(({ spokeAt, end }) => spokeAt < loop.end && end >= loop.onset - 1)) avoided.push(loop);
  }
  return avoided;
}

function byWorth({ avoided: one }: Trial, { avoided: other }: Trial): number {
  return other.wrong - one.wrong || one.right - other.right || one.others - other.others;
}
