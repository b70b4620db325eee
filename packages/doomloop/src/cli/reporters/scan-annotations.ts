import type { LoopSummary, Report } from "../scan/report.ts";
import { count } from "../terminal/count.ts";
import { printable } from "../terminal/printable.ts";

const MAX_ANNOTATIONS = 50;
const MAX_TEXT = 300;

/** The loops as annotations of a GitHub workflow: errors where the build fails for them, else warnings. */
export function scanAnnotations(report: Report, isFailing: (loop: LoopSummary) => boolean): string {
  const lines = report.loops.slice(0, MAX_ANNOTATIONS).map((loop) => {
    const level = isFailing(loop) ? "error" : "warning";
    const title = property(`doomloop: ${loop.kind}`);
    const text = `${loop.what.slice(0, MAX_TEXT)}: ${count(loop.count, "time")}, calls ${loop.onset} to ${loop.end} of session ${loop.session}`;
    return `::${level} title=${title}::${data(text)}\n`;
  });
  return lines.join("");
}

/** Text of a workflow command: a line end would begin another command. */
function data(text: string): string {
  return printable(text).replaceAll("%", "%25");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
