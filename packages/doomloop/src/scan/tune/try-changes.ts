import type { GuardOptions } from "../../core/options.ts";
import type { TranscriptReader } from "../../transcripts/reader.ts";
import type { ReportedRun } from "../report-builder.ts";
import type { FileRecord } from "../run-record.ts";
import { scanFile } from "../scan-file.ts";
import { type Change, changesFor, mergeOptions } from "./changes.ts";
import type { JudgedStretch } from "./marks.ts";

/** How many stretches are wrong, right, and not judged by anybody. */
export interface Tally {
  readonly wrong: number;
  readonly right: number;
  readonly others: number;
}

/** A change, and what it would have silenced. */
export interface Trial {
  readonly change: Change;
  readonly silenced: Tally;
}

export interface TryOptions {
  readonly guardOptions: GuardOptions;
  readonly readers: readonly TranscriptReader[];
  readonly runs: readonly ReportedRun[];
  readonly signal: AbortSignal;
  readonly onTry: (tried: number, total: number) => void;
}

const MAX_PROPOSED = 3;

/**
 * Tries changes on the files in which something was found. Returns the best, one a subject: those that silence most wrong alarms, then
 * fewest right ones, then fewest others, then the mildest. What silences more right ones than wrong ones is not among them.
 */
export async function tryChanges(stretches: readonly JudgedStretch[], options: TryOptions): Promise<readonly Trial[]> {
  const wrong = stretches.filter(({ isRight }) => isRight === false);
  const wrongFirst = [...wrong, ...stretches.filter(({ isRight }) => isRight !== false)];
  const changes = changesFor(wrong, options.guardOptions);
  const trials: Trial[] = [];
  for (const [at, change] of changes.entries()) {
    options.onTry(at, changes.length);
    const isSettled = ({ change: { subject }, silenced }: Trial): boolean =>
      subject === change.subject && silenced.wrong === wrong.length;
    if (options.signal.aborted || trials.some(isSettled)) continue;
    const silenced = tallyOf(await silencedBy(change, wrongFirst, options));
    if (silenced.wrong > 0 && silenced.right <= silenced.wrong) trials.push({ change, silenced });
  }
  const subjects = trials.sort(byWorth).map(({ change }) => change.subject);
  return trials.filter((_, at) => subjects.indexOf(subjects[at]!) === at).slice(0, MAX_PROPOSED);
}

export function tallyOf(stretches: readonly JudgedStretch[]): Tally {
  const countOf = (judgement: boolean | undefined): number =>
    stretches.filter(({ isRight }) => isRight === judgement).length;
  return { wrong: countOf(false), right: countOf(true), others: countOf(undefined) };
}

async function silencedBy(
  { patch }: Change,
  wrongFirst: readonly JudgedStretch[],
  { guardOptions, readers, runs, signal }: TryOptions,
): Promise<readonly JudgedStretch[]> {
  const manner = { guardOptions: mergeOptions(guardOptions, patch), hasCosts: false, includesContent: false, signal };
  const files = new Map<string, FileRecord>();
  const silenced: JudgedStretch[] = [];
  for (const stretch of wrongFirst) {
    // Most changes silence nothing that is wrong, and the other files need not be read.
    if (stretch.isRight !== false && silenced.length === 0) break;
    const { file, record, place } = runs.find(({ id }) => id === stretch.session)!;
    const reader = readers.find(({ agent }) => agent === record.agent)!;
    const found = files.get(file.path) ?? (await scanFile(file.path, reader, manner));
    files.set(file.path, found);
    // What can no longer be read is as it was. Records count calls from 0, and stretches from 1.
    const { loops } = found.runs[place] ?? record;
    if (!loops.some(({ spokeAt, end }) => spokeAt < stretch.end && end >= stretch.onset - 1)) silenced.push(stretch);
  }
  return silenced;
}

function byWorth({ silenced: one }: Trial, { silenced: other }: Trial): number {
  return other.wrong - one.wrong || one.right - other.right || one.others - other.others;
}
