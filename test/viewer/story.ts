import type { LoopSummary, ReportStep, RunSteps } from "../../packages/doomloop/src/scan/report/report.ts";

/** A step as a story tells it: tool, what it is about, and what came of it. A failing outcome begins with "error". */
export type Told = readonly [tool: string, about: string, outcome: string];

/** Steps of a run from what is told, a minute apart. With content, arguments and outcomes are there in full. */
export function tellRun(told: readonly Told[], startedAt: number, includesContent: boolean): RunSteps {
  const steps = told.map(([tool, about, outcome], at): ReportStep => {
    return {
      call: at + 1,
      tool,
      label: /^bash$/i.test(tool) ? about : `${tool} ${about.split("/").at(-1)}`,
      same: shortHash(`${tool} ${about}`),
      outcome: shortHash(outcome),
      isFailing: outcome.startsWith("error"),
      at: new Date(startedAt + at * 21_000).toISOString(),
      ...(includesContent && { arguments: JSON.stringify({ about }, null, 2), output: outcome }),
    };
  });
  return { from: 1, total: steps.length, steps };
}

/** The same part several times. */
export function times(number: number, part: readonly Told[]): readonly Told[] {
  return Array.from({ length: number }, () => part).flat();
}

/** A loop from onset to end that the guard nudges at its third turn, blocks at the fifth and stops at the sixth. */
export function loopOf(
  facts: Pick<LoopSummary, "id" | "session" | "kind" | "tools" | "what" | "onset" | "end" | "at"> &
    Partial<Pick<LoopSummary, "uncounted">> & { period?: number },
  spent: Pick<LoopSummary["afterOnset"], "tokens" | "costUsd">,
): LoopSummary {
  const { period = 1, onset, end } = facts;
  const turns = Math.floor((end - onset + 1) / period);
  const decisions = (
    [
      ["nudge", 3],
      ["block", 5],
      ["stop", 6],
    ] as const
  )
    .filter(([, turn]) => turn <= turns)
    .map(([action, turn]) => ({ action, call: onset + turn * period - 1 }));
  const spoken = decisions[0]?.call ?? end;
  return {
    ...facts,
    count: turns,
    period: facts.period ?? null,
    weight: 7.4,
    confidence: 0.94,
    areEqual: true,
    cause: "test-without-edit",
    isPossible: false,
    calls: [[onset, end]],
    decisions,
    decided: decisions.length,
    uncounted: facts.uncounted ?? [],
    afterOnset: { calls: end - spoken, ...spent },
  };
}

/** Eight hexadecimal digits that equal texts share (FNV-1a). */
function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}
