import { answerInWords, possibleInWords, readInWords } from "../../scan/report/answer.ts";
import type { LoopSummary, Report, SessionSummary } from "../../scan/report/report.ts";
import { count, kindWords, loopInWords } from "../../scan/report/words.ts";
import { printable } from "../../system/printable.ts";

/** GitHub shows no more annotations of a level for one step. */
const MAX_OF_LEVEL = 10;

const MAX_TEXT = 300;

/**
 * The report as JUnit XML: each session is a test case that fails if it has loops. Possible loops are its output, unless
 * they fail the build.
 */
export function scanJunit(report: Report, isFailing: (loop: LoopSummary) => boolean): string {
  const loops = new Map<string, LoopSummary[]>();
  const mainOf = new Map(report.sessions.map(({ id, partOf }) => [id, partOf ?? id]));
  for (const loop of [...report.loops, ...report.possibleLoops]) {
    const session = mainOf.get(loop.session) ?? loop.session;
    loops.set(session, [...(loops.get(session) ?? []), loop]);
  }
  const failing = [...loops.values()].filter((all) => all.some(isFailing));
  const sessions = mainSessions(report.sessions);
  const cases = sessions.map(({ id, agentName, project }) => {
    const name = attribute([agentName, ...(project === null ? [] : [project]), id].join(" "));
    const lines = (loops.get(id) ?? []).flatMap((loop) => {
      const words = attribute(loopInWords(loop));
      if (isFailing(loop)) return [`      <failure type="${attribute(loop.kind)}" message="${words}"/>`];
      return loop.isPossible ? [`      <system-out>possible loop: ${words}</system-out>`] : [];
    });
    if (lines.length === 0) return `    <testcase classname="doomloop" name="${name}"/>`;
    return [`    <testcase classname="doomloop" name="${name}">`, ...lines, "    </testcase>"].join("\n");
  });
  const counts = `tests="${sessions.length}" failures="${failing.length}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="doomloop" ${counts}>`,
    `  <testsuite name="doomloop scan" ${counts}>`,
    "    <properties>",
    ...propertiesOf(report).map(([name, value]) => `      <property name="${name}" value="${attribute(value)}"/>`),
    "    </properties>",
    ...cases,
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

/** One for each session: the main agent's, or if it was not scanned, a subagent's under the main agent's id. */
function mainSessions(sessions: Report["sessions"]): Report["sessions"] {
  const mains = new Map<string, SessionSummary>();
  for (const session of sessions) {
    const id = session.partOf ?? session.id;
    if (session.partOf === null || !mains.has(id)) mains.set(id, { ...session, id });
  }
  return [...mains.values()];
}

/** The same figures as in the other outputs. */
function propertiesOf(report: Report): readonly (readonly [string, string])[] {
  const { totals, generator, skipped, stopped } = report;
  return [
    ["answer", answerInWords(report)],
    ["complete", stopped === null ? "yes" : `no: ${readInWords(stopped)}`],
    ["calls", String(totals.calls)],
    ["loops", String(totals.loops)],
    ["possible loops", String(totals.possibleLoops)],
    ["config", generator.config ?? "none"],
    ["skipped", `${skipped.lines} lines, ${skipped.files} files, ${skipped.folders} folders`],
  ];
}

/** Printable text contains no characters that XML forbids. */
function attribute(text: string): string {
  return printable(text.slice(0, MAX_TEXT))
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** The report as JSON Lines: one object for the totals, each session, each loop and each possible loop. */
export function* scanLines(report: Report): Generator<string> {
  const { sessions, loops, possibleLoops, runs: _, ...rest } = report;
  yield `${JSON.stringify({ type: "scan", ...rest })}\n`;
  for (const session of sessions) yield `${JSON.stringify({ type: "session", ...session })}\n`;
  for (const loop of loops) yield `${JSON.stringify({ type: "loop", ...loop })}\n`;
  for (const loop of possibleLoops) yield `${JSON.stringify({ type: "possible-loop", ...loop })}\n`;
}

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
