import { readInWords } from "../../scan/report/answer.ts";
import type { Report } from "../../scan/report/report.ts";
import { count } from "../../scan/report/words.ts";
import type { PassedOver, PassedReason } from "../../scan/report-builder.ts";
import type { RunScanResult } from "../../scan/run-scan.ts";
import { printable } from "../../system/printable.ts";

const MAX_BROKEN = 3;

/** What the user should know about the scan itself, one line each. */
export function* scanNotices(
  report: Report,
  { builder }: RunScanResult,
  { isVerbose }: { readonly isVerbose: boolean },
): Generator<string> {
  const { stopped } = report;
  if (stopped !== null) yield `stopped early: ${readInWords(stopped)}`;
  const { passedOver, broken, longLines, oddFiles } = builder.skipped();
  if (longLines > 0) yield `${count(longLines, "line")} skipped: longer than 256 MB`;
  const others = report.skipped.lines - longLines;
  // If reading was interrupted, the last line is incomplete.
  const hasOthers = others > 0 && stopped === null;
  if (hasOthers)
    yield `${count(others, "line")} could not be read, skipped${isVerbose ? "" : " (--verbose names the files)"}`;
  if (isVerbose && (hasOthers || longLines > 0))
    for (const { path, lines } of oddFiles) yield `  ${printable(path)}: ${count(lines, "line")}`;
  yield* passedOverNotices(passedOver, isVerbose);
  const named = isVerbose ? broken : broken.slice(0, MAX_BROKEN);
  for (const { path, fault } of named) yield `cannot read ${printable(path)} to its end: ${printable(fault)}`;
  if (broken.length > named.length) yield `and ${count(broken.length - named.length, "file")} more like that`;
}

/** For each reason: the noun, and the rest of the sentence in singular and plural. */
const WORDS: Readonly<Record<PassedReason, readonly [noun: string, one: string, several: string]>> = {
  unknown: ["file", "skipped: no reader recognises it", "skipped: no reader recognises them"],
  old: ["session", "in a format that is no longer read", "in a format that is no longer read"],
  link: ["link", "skipped: it leads out of its folder", "skipped: they lead out of their folders"],
  special: ["file", "skipped: it is a pipe, a socket or a device", "skipped: they are pipes, sockets or devices"],
  closed: ["folder", "skipped: it cannot be read", "skipped: they cannot be read"],
  deep: ["folder", "skipped: it is nested too deeply", "skipped: they are nested too deeply"],
  many: ["folder", "skipped: it has too many files, and the rest was not read", "skipped: they have too many files"],
};

/** What the scan did not read, and why: one line for each reason, with all paths if verbose. */
function* passedOverNotices(passedOver: readonly PassedOver[], isVerbose: boolean): Generator<string> {
  for (const [reason, [noun, one, several]] of Object.entries(WORDS)) {
    const paths = passedOver.filter((passed) => passed.reason === reason).map(({ path }) => path);
    if (paths.length === 0) continue;
    const line = `${count(paths.length, noun)} ${paths.length === 1 ? one : several}`;
    yield isVerbose ? `${line}:` : `${line} (--verbose lists ${paths.length === 1 ? "it" : "them"})`;
    if (isVerbose) for (const path of paths.sort()) yield `  ${printable(path)}`;
  }
}
