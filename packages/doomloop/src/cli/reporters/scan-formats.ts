import { answerInWords, readInWords } from "../../scan/report/answer.ts";
import type { LoopSummary, Report, SessionSummary } from "../../scan/report/report.ts";
import { count, kindWords, loopInWords } from "../../scan/report/words.ts";
import { printable } from "../../system/printable.ts";

const MAX_ANNOTATIONS = 50;

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

/**
 * The loops as annotations of a GitHub workflow: errors if they fail the build, else warnings. Possible loops are
 * notices.
 */
export function scanAnnotations(report: Report, isFailing: (loop: LoopSummary) => boolean): string {
  const { generator, stopped } = report;
  const loops = [...report.loops, ...report.possibleLoops];
  const lines = loops.slice(0, MAX_ANNOTATIONS).map((loop) => {
    const level = isFailing(loop) ? "error" : loop.isPossible ? "notice" : "warning";
    const { name } = kindWords(loop.kind, loop.areEqual);
    const title = loop.isPossible ? `possible loop, ${name}` : name;
    return annotation(level, title, `${loopInWords(loop)} of session ${loop.session}`);
  });
  if (loops.length > MAX_ANNOTATIONS)
    lines.push(
      annotation("notice", "more loops", `${count(loops.length - MAX_ANNOTATIONS, "loop")} more in the report`),
    );
  if (stopped !== null) lines.push(annotation("warning", "not complete", `stopped early: ${readInWords(stopped)}`));
  if (generator.config !== null) lines.push(annotation("notice", "options", `judged by ${generator.config}`));
  return lines.join("");
}

function annotation(level: "error" | "warning" | "notice", title: string, text: string): string {
  return `::${level} title=${property(`doomloop: ${title.toLowerCase()}`)}::${data(text)}\n`;
}

/** Escapes the text of a workflow command. A line end would start another command. */
function data(text: string): string {
  return printable(text).replaceAll("%", "%25");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
