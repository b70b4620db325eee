import type { LoopSummary, Report } from "../scan/report.ts";
import { printable } from "../terminal/printable.ts";

const MAX_TEXT = 300;

/** The report as JUnit XML: a session is a test case, and fails with its loops. */
export function scanJunit(report: Report, isFailing: (loop: LoopSummary) => boolean): string {
  const failing = new Map<string, LoopSummary[]>();
  for (const loop of report.loops.filter(isFailing))
    failing.set(loop.session, [...(failing.get(loop.session) ?? []), loop]);
  const cases = report.sessions.map(({ id, agent, project }) => {
    const name = attribute(`${agent} ${project ?? ""} ${id}`.replaceAll("  ", " "));
    const loops = failing.get(id);
    if (loops === undefined) return `    <testcase classname="doomloop" name="${name}"/>`;
    const failures = loops.map(
      (loop) => `      <failure type="${attribute(loop.kind)}" message="${attribute(messageOf(loop))}"/>`,
    );
    return [`    <testcase classname="doomloop" name="${name}">`, ...failures, "    </testcase>"].join("\n");
  });
  const counts = `tests="${report.sessions.length}" failures="${failing.size}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="doomloop" ${counts}>`,
    `  <testsuite name="doomloop scan" ${counts}>`,
    ...cases,
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

function messageOf({ what, count, onset, end }: LoopSummary): string {
  return `${what}, ${count} times, calls ${onset} to ${end}`;
}

/** Printable text holds no character that XML forbids. */
function attribute(text: string): string {
  return printable(text.slice(0, MAX_TEXT))
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
