import { adviceFor } from "../../packages/doomloop/src/scan/advice/advice.ts";
import type {
  Amount,
  LoopSummary,
  Report,
  RunSteps,
  SessionSummary,
} from "../../packages/doomloop/src/scan/report/report.ts";
import { loopOf, type Told, tellRun, times } from "./story.ts";

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 10, 15, 14, 5);

const exactly = (value: number): Amount => ({ low: value, high: value, isEstimated: false });
const about = (low: number, high: number): Amount => ({ low, high, isEstimated: true });

const TYPECHECK = `error: src/checkout/cart.ts(41,9): error TS2322
Type 'number | undefined' is not assignable to type 'number'.
Found 1 error in src/checkout/cart.ts:41`;

const explore: readonly Told[] = [
  ["Glob", "src/**/*.ts", "37 files"],
  ["Read", "src/checkout/cart.ts", "export function total(lines) { ... }"],
  ["Read", "src/checkout/price.ts", "export const price = 1;"],
  ["Grep", "total(", "12 matches"],
  ["Read", "test/cart.test.ts", "it('adds up', ...)"],
  ["Edit", "src/checkout/cart.ts", "ok, 1 replacement"],
  [
    "Bash",
    "npm run typecheck",
    "error: 3 problems\nsrc/checkout/cart.ts(12,4)\nsrc/checkout/cart.ts(41,9)\nsrc/checkout/tax.ts(8,1)",
  ],
  ["Read", "src/checkout/tax.ts", "export const tax = 0.2;"],
  ["Edit", "src/checkout/tax.ts", "ok, 2 replacements"],
  ["Grep", "undefined", "4 matches"],
];

const STORIES: readonly { readonly told: readonly Told[]; readonly loops: readonly Partial<LoopSummary>[] }[] = [
  {
    told: [
      ...explore,
      ...times(11, [
        ["Read", "src/checkout/cart.ts", "export function total(lines) {\n  return lines.reduce(sum);\n}"],
        ["Bash", "npm run typecheck", TYPECHECK],
      ]),
      ["Write", "NOTES.md", "ok"],
      ...times(7, [["Bash", "npm run typecheck", TYPECHECK]]),
    ],
    loops: [
      { kind: "call-cycle", what: "Read cart.ts, npm", tools: ["Read", "Bash"], onset: 11, end: 32, period: 2 },
      {
        ...{ kind: "repeated-call", what: "npm", tools: ["Bash"], onset: 34, end: 40 },
        uncounted: [
          { call: 34, reason: "changed-world" },
          { call: 36, reason: "user-spoke" },
        ],
      },
    ],
  },
  {
    told: [
      ["shell", "ls", "api web README.md"],
      ["shell", "cat api/deploy.yaml", "replicas: 3"],
      ["apply_patch", "api/deploy.yaml", "ok"],
      ...times(14, [["shell", "kubectl get pods", "error: connection refused"]]),
    ],
    loops: [{ kind: "repeated-call", what: "shell kubectl", tools: ["shell"], onset: 4, end: 17 }],
  },
  {
    told: [
      ["search", "rate limits of the orders API", "no results"],
      ["read_file", "docs/orders.md", "# Orders"],
      ...Array.from({ length: 9 }, (_, turn): Told => ["search", `orders API rate limit ${turn + 1}`, "no results"]),
      ["read_file", "docs/limits.md", "error: no such file"],
    ],
    loops: [{ kind: "similar-call", what: "search orders API rate limit", tools: ["search"], onset: 3, end: 11 }],
  },
  {
    told: [
      ...explore.slice(0, 5),
      ...Array.from({ length: 6 }, (_, turn): readonly Told[] => [
        ["edit", `src/parser.py:${40 + turn}`, "ok, 1 replacement"],
        ["bash", "pytest -q", "error: 1 failed, 41 passed\ntest_nested: assert 3 == 4"],
      ]).flat(),
    ],
    loops: [{ kind: "test-fix", what: "pytest", tools: ["bash", "edit"], onset: 6, end: 17, period: 2 }],
  },
];

const PLACES = [
  { agent: "claude-code", agentName: "Claude Code", project: "shop-frontend", model: "claude-sonnet-4-5" },
  { agent: "codex", agentName: "Codex CLI", project: "orders-api", model: "gpt-5-codex" },
  { agent: "gemini-cli", agentName: "Gemini CLI", project: "orders-api", model: "gemini-2.5-pro" },
  { agent: "opencode", agentName: "opencode", project: null, model: "local-model" },
  {
    agent: "claude-code",
    agentName: "Claude Code",
    project: "billing-service-with-a-rather-long-name-that-does-not-fit",
    model: "claude-sonnet-4-5",
  },
  { agent: "openhands", agentName: "OpenHands", project: "parser", model: "claude-sonnet-4-5" },
];

const POSSIBLE = 2;

export interface SampleOptions {
  /** @default false */
  readonly includesContent?: boolean;
  /**
   * Sessions with a loop.
   * @default 48
   */
  readonly sessions?: number;
}

/** A report as a scan of some weeks would give it: the same for the same options. */
export function sampleReport(options: SampleOptions = {}): Report {
  const { includesContent = false, sessions: number = 48 } = options;
  const sessions: SessionSummary[] = [];
  const loops: LoopSummary[] = [];
  const runs: Record<string, RunSteps> = {};

  for (let index = 0; index < number; index++) {
    const story = STORIES[index % STORIES.length]!;
    const place = PLACES[(index * 7) % PLACES.length]!;
    const id = `s${(index + 1).toString().padStart(4, "0")}`;
    const startedAt = NOW - ((index * index * 37) % 29) * DAY_MS - ((index * 53) % 600) * 60_000 - DAY_MS / 4;
    const run = tellRun(story.told, startedAt, includesContent);
    const isPriced = place.model !== "local-model";
    const scale = 1 + (index % 9);
    runs[id] = run;
    for (const [at, loop] of story.loops.entries()) {
      const { kind = "", what = "", tools = [], onset = 1, end = 1, period, uncounted = [] } = loop;
      const facts = { id: `${id}-${at + 1}`, session: id, kind, what, tools, onset, end, uncounted };
      const calls = end - onset;
      const spent = {
        tokens: index % 3 === 0 ? exactly(calls * scale * 911) : about(calls * scale * 700, calls * scale * 1200),
        costUsd: isPriced
          ? { low: calls * scale * 0.011, high: calls * scale * 0.017, isEstimated: index % 3 !== 0 }
          : null,
      };
      loops.push(loopOf({ ...facts, at: run.steps[onset - 1]?.at ?? null, ...(period != null && { period }) }, spent));
    }
    sessions.push({
      id,
      partOf: null,
      ...place,
      startedAt: new Date(startedAt).toISOString(),
      endedAt: run.steps.at(-1)?.at ?? null,
      isFileTime: false,
      calls: run.total,
      tokens: exactly(run.total * scale * 1400),
      costUsd: isPriced ? about(run.total * scale * 0.02, run.total * scale * 0.03) : null,
      costFrom: isPriced ? "estimated" : null,
      loops: story.loops.length,
      possibleLoops: index >= number - POSSIBLE ? 1 : 0,
    });
  }
  // The agents of the last sessions left a second loop by themselves.
  const possibleLoops = sessions.slice(-POSSIBLE).map(({ id }) => {
    const last = loops.findLast(({ session }) => session === id)!;
    return { ...last, id: `${id}-9`, isPossible: true, decisions: last.decisions.slice(0, 1), decided: 1 };
  });
  loops.sort((one, other) => (other.afterOnset.costUsd?.high ?? 0) - (one.afterOnset.costUsd?.high ?? 0));
  return {
    version: 1,
    generatedAt: new Date(NOW).toISOString(),
    generator: { name: "doomloop", version: "0.4.0", preset: "balanced", config: null },
    range: { since: new Date(NOW - 30 * DAY_MS).toISOString(), until: new Date(NOW).toISOString() },
    includesContent,
    pricesAsOf: "2026-11-01",
    totals: totalsOf(sessions, loops),
    sessions,
    loops,
    possibleLoops,
    runs,
    skipped: { lines: 12, files: 1, folders: 0 },
    stopped: null,
    advice: adviceFor(loops),
    repeated: [
      { what: "npm test", session: "s0003", times: 9, reason: "changed-world" },
      { what: "Read cart.ts", session: "s0004", times: 4, reason: null },
    ],
  };
}

function totalsOf(sessions: readonly SessionSummary[], loops: readonly LoopSummary[]): Report["totals"] {
  const sum = (amounts: readonly (Amount | null)[]): Amount => ({
    low: amounts.reduce((total, amount) => total + (amount?.low ?? 0), 0),
    high: amounts.reduce((total, amount) => total + (amount?.high ?? 0), 0),
    isEstimated: amounts.some((amount) => amount?.isEstimated),
  });
  const loopsByKind: Record<string, number> = {};
  for (const { kind } of loops) loopsByKind[kind] = (loopsByKind[kind] ?? 0) + 1;
  return {
    sessions: sessions.length * 8,
    agents: sessions.length * 8,
    sessionsWithLoops: sessions.length,
    calls: sessions.reduce((total, { calls }) => total + calls, 0) * 11,
    loops: loops.length,
    possibleLoops: POSSIBLE,
    loopsByKind,
    tokens: sum(sessions.map(({ tokens }) => tokens)),
    unpricedSessions: sessions.filter(({ costUsd }) => costUsd === null).length,
    costUsd: sum(sessions.map(({ costUsd }) => costUsd)),
    afterOnset: {
      calls: loops.reduce((total, { afterOnset }) => total + afterOnset.calls, 0),
      tokens: sum(loops.map(({ afterOnset }) => afterOnset.tokens)),
      costUsd: sum(loops.map(({ afterOnset }) => afterOnset.costUsd)),
    },
  };
}
