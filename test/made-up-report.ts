import type { LoopSummary, Report, SessionSummary } from "../packages/doomloop/src/scan/report/report.ts";

/** A session as a report has it, of Claude Code unless a test says otherwise. */
export function session(more: Partial<SessionSummary> = {}): SessionSummary {
  return {
    ...{ id: "a", partOf: null, agent: "claude-code", agentName: "Claude Code", project: "api", model: "m" },
    ...{ startedAt: null, endedAt: null, isFileTime: false, calls: 20, costUsd: null, costFrom: null },
    ...{ tokens: { low: 1e6, high: 1e6, isEstimated: false }, loops: 1, possibleLoops: 0 },
    ...more,
  };
}

/** A test that fails again and again, from the third call to the fourteenth. */
export function loop(more: Partial<LoopSummary> = {}): LoopSummary {
  return {
    ...{ id: "a-1", session: "a", kind: "repeated-call", tools: ["Bash"], what: "npm test", count: 12, period: null },
    ...{ weight: 11, confidence: 0.98, areEqual: true, cause: "test-without-edit", isPossible: false },
    ...{ onset: 3, end: 14, decided: 1, uncounted: [], at: "2026-01-08T00:00:00.000Z" },
    calls: [[3, 14]],
    decisions: [{ call: 5, action: "nudge" }],
    afterOnset: {
      calls: 10,
      tokens: { low: 1e5, high: 3e5, isEstimated: false },
      costUsd: { low: 0.1, high: 0.4, isEstimated: false },
      fromNudge: {
        tokens: { low: 3e5, high: 3e5, isEstimated: false },
        costUsd: { low: 0.4, high: 0.4, isEstimated: false },
      },
    },
    ...more,
  };
}

/** A report of forty sessions with these loops, all of one of them. */
export function report(loops: readonly LoopSummary[], more: Partial<SessionSummary> = {}): Report {
  return {
    ...{ version: 1, generatedAt: "", range: { since: null, until: null }, includesContent: false },
    generator: { name: "doomloop", version: "1", preset: "balanced", config: null },
    pricesAsOf: "2026-01-01",
    totals: {
      ...{ sessions: 40, agents: 40, sessionsWithLoops: loops.length, calls: 1234, loops: loops.length },
      ...{ possibleLoops: 0, unpricedSessions: 3, tokens: session().tokens, afterOnset: loop().afterOnset },
      loopsByKind: loops.length === 0 ? {} : { "repeated-call": loops.length },
      costUsd: { low: 2, high: 2, isEstimated: false },
    },
    sessions: [session(more)],
    loops,
    ...{ repeated: [], possibleLoops: [], advice: [], runs: {}, skipped: { lines: 0, files: 0, folders: 0 } },
    stopped: null,
  };
}
