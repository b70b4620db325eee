import { possibleInWords, readInWords } from "../../scan/report/answer.ts";
import type { LoopSummary, Report } from "../../scan/report/report.ts";
import { count, kindWords, loopInWords } from "../../scan/report/words.ts";
import { printable } from "../../system/printable.ts";

/** GitHub shows no more annotations of a level for one step. */
const MAX_OF_LEVEL = 10;

type Level = "error" | "warning" | "notice";

/**
 * The loops as annotations of a GitHub workflow, the worst first: errors if they fail the build, else warnings. Possible
 * loops are notices. What GitHub would not show is summed up in one line.
 */
export function scanAnnotations(report: Report, isFailing: (loop: LoopSummary) => boolean): string {
  const { generator, stopped } = report;
  const all = [...report.loops, ...report.possibleLoops].map((loop) => ({ loop, level: levelOf(loop, isFailing) }));
  const others = [
    ...(stopped === null
      ? []
      : [{ level: "warning" as const, title: "not complete", text: `stopped early: ${readInWords(stopped)}` }]),
    ...(generator.config === null
      ? []
      : [{ level: "notice" as const, title: "options", text: `judged by ${generator.config}` }]),
  ];
  // One notice is for the summary, and the other lines have their place, too.
  const roomFor = (level: Level): number =>
    MAX_OF_LEVEL - (level === "notice" ? 1 : 0) - others.filter((other) => other.level === level).length;
  const shown = LEVELS.flatMap((level) => all.filter((one) => one.level === level).slice(0, roomFor(level)));
  const lines = shown.map(({ loop, level }) => {
    const { name } = kindWords(loop.kind, loop.areEqual);
    const title = loop.isPossible ? `possible loop, ${name}` : name;
    return annotation(level, title, `${loopInWords(loop)} of session ${loop.session}`);
  });
  const left = all.filter((one) => !shown.includes(one)).map(({ loop }) => loop);
  if (left.length > 0) lines.push(annotation("notice", "more loops", leftInWords(left)));
  return [...lines, ...others.map(({ level, title, text }) => annotation(level, title, text))].join("");
}

const LEVELS: readonly Level[] = ["error", "warning", "notice"];

function levelOf(loop: LoopSummary, isFailing: (loop: LoopSummary) => boolean): Level {
  if (isFailing(loop)) return "error";
  return loop.isPossible ? "notice" : "warning";
}

/** What has no annotation: `7 loops and 8 possible loops more in the report`. */
function leftInWords(loops: readonly LoopSummary[]): string {
  const possibleLoops = loops.filter(({ isPossible }) => isPossible).length;
  const sure = loops.length - possibleLoops;
  const parts = [sure > 0 ? count(sure, "loop") : undefined, possibleInWords({ possibleLoops })];
  return `${parts.filter((part) => part !== undefined).join(" and ")} more in the report`;
}

function annotation(level: Level, title: string, text: string): string {
  return `::${level} title=${property(`doomloop: ${title.toLowerCase()}`)}::${data(text)}\n`;
}

/** Escapes the text of a workflow command. A line end would start another command. */
function data(text: string): string {
  return printable(text).replaceAll("%", "%25");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
