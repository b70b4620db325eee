import type { LoopSummary, ReportStep } from "../../../doomloop/src/scan/report/report.ts";
import type { LoopRow } from "./report-index.ts";

/** A loop for tests: what is not named is plain. */
export function sampleLoop(facts: Partial<LoopSummary> = {}): LoopSummary {
  return {
    id: "l1",
    session: "s1",
    kind: "repeated-call",
    tools: ["Bash"],
    what: "npm",
    count: 5,
    period: null,
    weight: 4,
    confidence: 1,
    onset: 1,
    end: 5,
    calls: [[facts.onset ?? 1, facts.end ?? 5]],
    areEqual: true,
    cause: "unknown",
    decisions: [],
    decided: 0,
    uncounted: [],
    at: null,
    isPossible: false,
    afterOnset: { calls: 2, tokens: null, costUsd: null },
    ...facts,
  };
}

/** A line of the table for tests. */
export function sampleRow(facts: Partial<LoopRow> & { readonly loop?: LoopSummary } = {}): LoopRow {
  return {
    loop: sampleLoop(),
    tools: [...new Set(facts.loop?.tools ?? ["Bash"])],
    agent: "codex",
    project: null,
    time: null,
    isFileTime: false,
    action: null,
    isPastStop: false,
    words: "",
    ...facts,
  };
}

/** Steps for tests from letters: equal letters are equal calls, a digit behind one is its outcome. */
export function sampleSteps(letters: string): readonly ReportStep[] {
  return letters.split(" ").map((word, at) => ({
    call: at + 1,
    tool: word.charAt(0),
    label: word.charAt(0),
    same: word.charAt(0),
    outcome: word.slice(1) || null,
    isFailing: false,
    at: null,
  }));
}
