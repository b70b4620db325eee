import { answerInWords } from "../../scan/report/answer-in-words.ts";
import { loopInWords } from "../../scan/report/loop-in-words.ts";
import type { LoopSummary, Report } from "../../scan/report/report.ts";
import { printable } from "../../system/printable.ts";

const MAX_TEXT = 300;

/** The report as JUnit XML: a session is a test case, and fails with its loops. */
export function scanJunit(report: Report, isFailing: (loop: LoopSummary) => boolean): string {
  const failing = new Map<string, LoopSummary[]>();
  for (const loop of report.loops.filter(isFailing))
    failing.set(loop.session, [...(failing.get(loop.session) ?? []), loop]);
  const cases = report.sessions.map(({ id, agentName, project }) => {
    const name = attribute([agentName, ...(project === null ? [] : [project]), id].join(" "));
    const loops = failing.get(id);
    if (loops === undefined) return `    <testcase classname="doomloop" name="${name}"/>`;
    const failures = loops.map(
      (loop) => `      <failure type="${attribute(loop.kind)}" message="${attribute(loopInWords(loop))}"/>`,
    );
    return [`    <testcase classname="doomloop" name="${name}">`, ...failures, "    </testcase>"].join("\n");
  });
  const counts = `tests="${report.sessions.length}" failures="${failing.size}"`;
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

/** What the figures of other outputs are, so that all of them agree. */
function propertiesOf({ totals, generator, skipped }: Report): readonly (readonly [string, string])[] {
  return [
    ["answer", answerInWords(totals)],
    ["calls", String(totals.calls)],
    ["loops", String(totals.loops)],
    ["config", generator.config ?? "none"],
    ["skipped", `${skipped.lines} lines, ${skipped.files} files, ${skipped.folders} folders`],
  ];
}

/** Printable text holds no character that XML forbids. */
function attribute(text: string): string {
  return printable(text.slice(0, MAX_TEXT))
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
