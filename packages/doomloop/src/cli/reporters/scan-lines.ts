import type { Report } from "../../scan/report/report.ts";

/** The report as JSON Lines: one object for the totals, each session and each loop. */
export function* scanLines(report: Report): Generator<string> {
  const { sessions, loops, runs: _, ...rest } = report;
  yield `${JSON.stringify({ type: "scan", ...rest })}\n`;
  for (const session of sessions) yield `${JSON.stringify({ type: "session", ...session })}\n`;
  for (const loop of loops) yield `${JSON.stringify({ type: "loop", ...loop })}\n`;
}
