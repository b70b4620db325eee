import { answerInWords } from "../../scan/report/answer-in-words.ts";
import { count } from "../../scan/report/count.ts";
import type { Report } from "../../scan/report/report.ts";
import { sessionsInWords } from "../../scan/report/sessions-in-words.ts";
import { cutToWidth, printable } from "../../system/printable.ts";
import { wrapList, wrapText } from "../terminal/wrap.ts";
import { hookSentences } from "./hook-sentences.ts";
import { type NextStep, stepLines } from "./next-steps.ts";
import { type WorstLoopsOptions, worstLoops } from "./worst-loops.ts";

export interface ScanSummaryOptions extends WorstLoopsOptions {
  /** What was looked at: `the last 30 days`. */
  readonly scope: string;
  /** One line only. */
  readonly isQuiet: boolean;
  /** Where nothing was found, what was looked for and what to try: lines. */
  readonly hints: readonly string[];
  readonly steps: readonly NextStep[];
}

/** What a scan found, in words for a terminal: the answer, the worst loops, what to do about them. Everything foreign is escaped. */
export function scanSummary(report: Report, options: ScanSummaryOptions): string {
  const { totals } = report;
  const { style, width, scope, isQuiet, hints, steps } = options;
  const hooks = isQuiet ? "" : wrapText(hookSentences(report.hooks), width);
  if (totals.sessions === 0)
    return joined([`No sessions found (${scope}).`, ...hints.map((hint) => wrapText(hint, width, "  ")), hooks], "\n");
  const answer = answerInWords(totals);
  if (isQuiet) return `${[answer, ...judgedBy(report)].join(" ")}\n`;
  const about = style.dim(aboutScan(report, options));
  if (totals.loops === 0) return joined([wrapText(style.good(answer), width), about, hooks], "\n");
  const parts = [
    `${style.strong(wrapText(answer, width))}\n${about}`,
    worstLoops(report, options),
    hooks,
    `${style.strong("What to do")}\n${stepLines(steps, width)}`,
  ];
  return joined(parts, "\n\n");
}

function joined(parts: readonly string[], separator: string): string {
  return `${parts.filter((part) => part !== "").join(separator)}\n`;
}

/** What was looked at, and where figures come from. */
function aboutScan(report: Report, { scope, width }: ScanSummaryOptions): string {
  const { totals, sessions } = report;
  const agents = new Map<string, number>();
  for (const { agentName } of sessions.filter(({ partOf }) => partOf === null))
    agents.set(agentName, (agents.get(agentName) ?? 0) + 1);
  const listed = [...agents]
    .sort((one, other) => other[1] - one[1])
    .map(([name, number]) => cutToWidth(`${printable(name)} ${count(number)}`, width - 1));
  const size = `${count(totals.loops, "loop")} in ${sessionsInWords(totals)}, ${count(totals.calls, "call")}, ${scope}.`;
  const judged = judgedBy(report);
  const facts = totals.loops === 0 ? [`${capital(scope)}.`, ...judged] : [size, ...aboutPrices(report), ...judged];
  return `${wrapText(facts.join(" "), width)}\n${wrapList(listed, width)}`;
}

function aboutPrices({ totals, pricesAsOf }: Report): readonly string[] {
  const { unpricedSessions, sessions, costUsd } = totals;
  const without = `${count(unpricedSessions)} of ${count(sessions, "session")} used models without a known price.`;
  return [
    ...(pricesAsOf === null ? [] : [`Prices of ${pricesAsOf}.`]),
    ...(unpricedSessions > 0 && costUsd !== null ? [without] : []),
  ];
}

function judgedBy({ generator }: Report): readonly string[] {
  return generator.config === null ? [] : [`Judged by ${printable(generator.config)}.`];
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
