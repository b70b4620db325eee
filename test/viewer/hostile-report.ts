import type { LoopSummary, Report, RunSteps, SessionSummary } from "../../packages/doomloop/src/scan/report/report.ts";

/** A report with a payload in every field that holds a text, one session, loop and step each, and one run with all of them. */
export function hostileReport(payloads: readonly string[], includesContent: boolean): Report {
  const amount = { low: 0.5, high: 1.5, isEstimated: true };
  const spent = { calls: 3, tokens: amount, costUsd: amount };
  const step = (text: string, call: number) => ({
    call,
    tool: text,
    label: text,
    same: text,
    outcome: text,
    isFailing: true,
    at: text,
    ...(includesContent && { arguments: text, output: `${text}\n${call}` }),
  });
  const sessions = payloads.map(
    (text): SessionSummary => ({
      ...{
        id: text,
        partOf: text,
        agent: text,
        agentName: text,
        project: text,
        model: text,
        startedAt: text,
        endedAt: text,
        isFileTime: false,
      },
      ...{ calls: 3, tokens: amount, costUsd: amount, costFrom: "priced", loops: 1, possibleLoops: 1 },
    }),
  );
  const loopOf = (text: string, session: string, onset: number): LoopSummary => ({
    ...{
      id: text,
      session,
      kind: text,
      tools: [text, text],
      what: text,
      count: 3,
      period: 2,
      weight: 2,
      confidence: 1,
    },
    ...{
      onset,
      end: onset + 2,
      calls: [[onset, onset + 2]],
      areEqual: false,
      cause: text,
      isPossible: false,
      at: text,
      afterOnset: spent,
    },
    // A file that somebody has changed by hand may hold anything.
    decisions: [{ call: onset + 1, action: text as "nudge" }],
    decided: 1,
    uncounted: [{ call: onset, reason: text }],
  });
  const runs = Object.fromEntries(
    payloads.map((text): [string, RunSteps] => [
      text,
      { from: 1, total: 4, steps: [1, 2, 3].map((call) => step(text, call)) },
    ]),
  );
  runs.everything = { from: 1, total: payloads.length, steps: payloads.map((text, at) => step(text, at + 1)) };
  const loops = payloads.map((text) => loopOf(text, text, 1));
  const [first = ""] = payloads;
  return {
    version: 1,
    generatedAt: first,
    generator: { name: "doomloop", version: first, preset: first, config: first },
    range: { since: first, until: first },
    includesContent,
    pricesAsOf: first,
    totals: {
      ...{
        sessions: 3,
        agents: 3,
        sessionsWithLoops: 3,
        calls: 9,
        loops: loops.length,
        possibleLoops: loops.length,
        unpricedSessions: 1,
      },
      ...{ tokens: amount, costUsd: amount, afterOnset: spent },
      loopsByKind: Object.fromEntries(payloads.map((text) => [text, 1])),
    },
    sessions,
    loops: [...loops, ...payloads.slice(0, 50).map((text, index) => loopOf(text, "everything", index * 5 + 1))],
    possibleLoops: loops.map((loop) => ({ ...loop, isPossible: true })),
    runs,
    skipped: { lines: 0, files: 0, folders: 0 },
    stopped: null,
    advice: payloads.map((text) => ({
      cause: text,
      title: text,
      loops: 1,
      sessions: 1,
      repeats: 3,
      paragraph: text,
      also: text,
    })),
    repeated: payloads.map((text) => ({ what: text, session: text, times: 3, reason: text })),
  };
}
