import { count } from "../../scan/report/count.ts";
import { kindWords } from "../../scan/report/kind-words.ts";
import { loopInWords } from "../../scan/report/loop-in-words.ts";
import type { LoopSummary, Report } from "../../scan/report/report.ts";
import { printable } from "../../system/printable.ts";

const MAX_ANNOTATIONS = 50;

/** The loops as annotations of a GitHub workflow: errors where the build fails for them, else warnings. */
export function scanAnnotations(report: Report, isFailing: (loop: LoopSummary) => boolean): string {
  const { loops, generator } = report;
  const lines = loops.slice(0, MAX_ANNOTATIONS).map((loop) => {
    const level = isFailing(loop) ? "error" : "warning";
    return annotation(level, kindWords(loop.kind).name, `${loopInWords(loop)} of session ${loop.session}`);
  });
  if (loops.length > MAX_ANNOTATIONS)
    lines.push(
      annotation("notice", "more loops", `${count(loops.length - MAX_ANNOTATIONS, "loop")} more in the report`),
    );
  if (generator.config !== null) lines.push(annotation("notice", "options", `judged by ${generator.config}`));
  return lines.join("");
}

function annotation(level: "error" | "warning" | "notice", title: string, text: string): string {
  return `::${level} title=${property(`doomloop: ${title.toLowerCase()}`)}::${data(text)}\n`;
}

/** Text of a workflow command: a line end would begin another command. */
function data(text: string): string {
  return printable(text).replaceAll("%", "%25");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
