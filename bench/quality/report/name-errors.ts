import type { InnocentExpectation, LoopExpectation } from "../everyday/expectation.ts";
import { scoreInnocent } from "../everyday/score-innocent.ts";
import { scoreLoop } from "../everyday/score-loop.ts";
import { type JudgedRun, type JudgedSource, OURS } from "../judged-run.ts";
import { isRecorded } from "../replay-order.ts";
import type { ScoredWindow } from "../score-windows.ts";

const MAX_WORDS = 6;

/** Every window and run in which our guard is wrong, a line each. */
export function nameErrors(sources: readonly JudgedSource[], windows: readonly ScoredWindow[]): string[] {
  const ofRuns = sources.flatMap(({ kind, runs }) =>
    runs.flatMap((run) => {
      if (run.expectation?.expect === "spoken") return loopErrors(run, run.expectation);
      return isRecorded(kind) ? rowErrors(run) : innocentErrors(run, run.expectation);
    }),
  );
  return [...windows.flatMap(windowErrors), ...ofRuns];
}

function windowErrors({ window: { run, from, to }, verdict }: ScoredWindow): string[] {
  return verdict === "miss" || verdict === "false alarm" ? [`${verdict}: ${run} [${from}, ${to})`] : [];
}

function rowErrors({ run, row }: JudgedRun): string[] {
  if (row === undefined || row.isEnded) return [];
  return [`row ${row.isSpokenTo ? "not ended" : "not spoken to"}: ${run}`];
}

function innocentErrors(
  { run, decisions, variants }: JudgedRun,
  expectation: InnocentExpectation | undefined,
): string[] {
  const { isSpokenTo, isTooHard } = scoreInnocent(decisions);
  const isWrong = expectation?.expect === "nudge-at-most" ? isTooHard : isSpokenTo;
  return [
    ...(isWrong ? [`false alarm: ${run} ${wordsOf(decisions)}`] : []),
    ...Object.entries(variants ?? {})
      .filter(([, { isBlocked }]) => isBlocked)
      .map(([name, { isStopped }]) => `${name}, ${isStopped ? "ended" : "refused"}: ${run}`),
  ];
}

function loopErrors({ run, spokeAt, decisions, bite }: JudgedRun, expectation: LoopExpectation): string[] {
  const { verdict, isEarly } = scoreLoop(expectation, spokeAt[OURS]!);
  const words = `${run} from ${expectation.from} by ${expectation.by} got ${wordsOf(decisions) || "nothing"}`;
  return [
    ...(verdict === "found" ? [] : [`${verdict}: ${words}`]),
    ...(isEarly ? [`early: ${words}`] : []),
    ...(bite?.isRefused === false ? [`not refused: ${run}`] : []),
    ...(bite?.isEnded === false ? [`not ended: ${run}`] : []),
  ];
}

function wordsOf(decisions: JudgedRun["decisions"]): string {
  return decisions
    .slice(0, MAX_WORDS)
    .map(({ action, call, kind }) => `${action}@${call}:${kind}`)
    .join(" ");
}
