import type { Work, WorkShare } from "../../packages/doomloop/src/scan/report/work.ts";

function share(name: string | null, calls: number, failed: number, minutes: number): WorkShare {
  return { name, calls, failed, timeMs: minutes * 60_000, characters: calls * 3_000 };
}

/** What the sessions of the sample did. */
export const sampleWork: Work = {
  calls: 9_000,
  time: { toolsMs: 5 * 3_600_000, modelMs: 15 * 3_600_000, pausesMs: 90 * 3_600_000 },
  tokens: { input: 40_000, cacheRead: 900_000, cacheWrite: 50_000, output: 10_000 },
  tools: [
    ...["Bash", "Read", "Edit", "Grep", "Glob", "Write", "WebFetch"].map((name, at) =>
      share(name, 4_000 - 500 * at, 40 - at, 120 - 15 * at),
    ),
    share(null, 30, 0, 1),
  ],
  kinds: [share("test", 900, 300, 200), share("look", 5_000, 20, 70), share("write", 3_100, 90, 30)],
  files: {
    reads: 4_000,
    again: 1_000,
    unchanged: 90,
    most: [
      { what: "cart.ts", session: "s0001", times: 38, unchanged: 12 },
      { what: null, session: "s0002", times: 9, unchanged: 0 },
    ],
  },
  checks: [
    { what: "npm test", runs: 300, failed: 120 },
    { what: "tsc", runs: 90, failed: 0 },
  ],
  compactions: { count: 12, sessions: 7, readAgain: 31, most: [{ what: "cart.ts", session: "s0001", times: 3 }] },
  days: {
    days: 20,
    sessions: 50,
    medianCalls: 420,
    busiest: { date: "2026-11-03", calls: 900 },
    hours: Array.from({ length: 24 }, (_, hour) => (hour < 8 ? 0 : 40 * (24 - hour))),
  },
};
