import type { Report } from "../../scan/report/report.ts";
import { count } from "../../scan/report/words.ts";
import type { RunScanResult } from "../../scan/run-scan.ts";
import type { PassedOver, PassedReason } from "../../scan/walk-folder.ts";
import { printable } from "../../system/printable.ts";

/** For each reason what was passed over, and the reason for one and for several. */
const WORDS: Readonly<Record<PassedReason, readonly [noun: string, one: string, several: string]>> = {
  unknown: ["file", "no reader knows it", "no reader knows them"],
  link: ["link", "it leads out of its folder", "they lead out of their folders"],
  special: ["file", "it is a pipe, a socket or a device", "they are pipes, sockets or devices"],
  closed: ["folder", "it cannot be read", "they cannot be read"],
  deep: ["folder", "it lies too deep", "they lie too deep"],
  many: ["folder", "it holds too many files, and the rest of them was not read", "they hold too many files"],
};

const MAX_BROKEN = 3;

/** What the reader of a report should know about the scan itself, a line each. */
export function* scanNotices(
  report: Report,
  { done, files, builder }: RunScanResult,
  { isInterrupted, isVerbose }: { readonly isInterrupted: boolean; readonly isVerbose: boolean },
): Generator<string> {
  if (isInterrupted) yield `stopped early: ${count(done)} of ${count(files, "file")} read`;
  // Where reading was stopped, the last line was cut.
  if (report.skipped.lines > 0 && !isInterrupted)
    yield `${count(report.skipped.lines, "line")} could not be read, skipped`;
  const { passedOver, broken } = builder.skipped();
  yield* passedOverNotices(passedOver, isVerbose);
  const named = isVerbose ? broken : broken.slice(0, MAX_BROKEN);
  for (const { path, fault } of named) yield `cannot read ${printable(path)} to its end: ${printable(fault)}`;
  if (broken.length > named.length) yield `and ${count(broken.length - named.length, "file")} more like that`;
}

/** What a scan did not read, and why: a line a reason, and each path below it if they are to be named. */
function* passedOverNotices(passedOver: readonly PassedOver[], isVerbose: boolean): Generator<string> {
  for (const [reason, [noun, one, several]] of Object.entries(WORDS)) {
    const paths = passedOver.filter((passed) => passed.reason === reason).map(({ path }) => path);
    if (paths.length === 0) continue;
    const line = `${count(paths.length, noun)} passed over: ${paths.length === 1 ? one : several}`;
    yield isVerbose ? `${line}:` : `${line} (--verbose names ${paths.length === 1 ? "it" : "them"})`;
    if (isVerbose) for (const path of paths.sort()) yield `  ${printable(path)}`;
  }
}
