import { count } from "../../scan/report/count.ts";
import type { Report } from "../../scan/report/report.ts";
import type { RunScanResult } from "../../scan/run-scan.ts";
import { printable } from "../../system/printable.ts";
import { passedOverNotices } from "./passed-over-notices.ts";

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
