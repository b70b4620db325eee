import type { AnswerLedger } from "../costs/answer-ledger.ts";
import type { FileRead, TokenShares, Work, WorkTime } from "../report/work.ts";
import { activeDays, type ReadClock } from "./active-days.ts";
import { joinChecks } from "./check-runs.ts";
import type { RunWork } from "./run-work.ts";
import { joinShares, joinTools } from "./work-shares.ts";

const MAX_TOOLS = 10;
const MAX_KINDS = 8;
const MAX_CHECKS = 10;
const MAX_FILES = 5;

interface WorkingRun {
  readonly id: string;
  /** For a subagent's run, the id of the main agent's run. */
  readonly partOf: string | null;
  readonly record: { readonly calls: number; readonly work: RunWork | null };
}

/** Adds up what runs did. Runs that are in part copies have no work, and are left out. */
export function workOf(runs: readonly WorkingRun[], clock: ReadClock): Work {
  // Files finish in any order.
  const known = [...runs]
    .sort((one, other) => (one.id < other.id ? -1 : 1))
    .flatMap(({ id, partOf, record: { calls, work } }) =>
      work === null ? [] : [{ id, session: partOf ?? id, calls, work }],
    );
  const sum = (figure: (work: RunWork) => number): number => known.reduce((all, { work }) => all + figure(work), 0);
  const listed = <File extends { readonly times: number }>(filesOf: (work: RunWork) => readonly File[]) =>
    known
      .flatMap(({ id, work }) => filesOf(work).map((file) => ({ ...file, session: id })))
      .sort((one, other) => other.times - one.times || (one.session < other.session ? -1 : 1))
      .slice(0, MAX_FILES);
  return {
    calls: known.reduce((all, { calls }) => all + calls, 0),
    time: sumTime(known.flatMap(({ work }) => work.time ?? [])),
    tokens: sumTokens(known.flatMap(({ work }) => work.tokens ?? [])),
    tools: joinTools(
      known.map(({ work }) => work.tools),
      MAX_TOOLS,
    ),
    kinds: joinShares(
      known.map(({ work }) => work.kinds),
      MAX_KINDS,
    ),
    files: {
      reads: sum(({ files }) => files.reads),
      again: sum(({ files }) => files.again),
      unchanged: sum(({ files }) => files.unchanged),
      most: listed(({ files }): readonly Omit<FileRead, "session">[] => files.most),
    },
    checks: joinChecks(
      known.map(({ work }) => work.checks),
      MAX_CHECKS,
    ),
    compactions: {
      count: sum(({ compactions }) => compactions),
      sessions: new Set(known.filter(({ work }) => work.compactions > 0).map(({ session }) => session)).size,
      readAgain: sum(({ files }) => files.readAgain),
      most: listed(({ files }) => files.lost),
    },
    days: activeDays(
      known.map(({ session, work }) => ({ session, hours: work.hours })),
      clock,
    ),
  };
}

function sumTime(times: readonly WorkTime[]): WorkTime | null {
  if (times.length === 0) return null;
  const sum = (part: keyof WorkTime): number => times.reduce((all, time) => all + time[part], 0);
  return { toolsMs: sum("toolsMs"), modelMs: sum("modelMs"), pausesMs: sum("pausesMs") };
}

function sumTokens(all: readonly TokenShares[]): TokenShares | null {
  if (all.length === 0) return null;
  const sum = (part: keyof TokenShares): number => all.reduce((whole, tokens) => whole + tokens[part], 0);
  return {
    input: sum("input"),
    cacheRead: sum("cacheRead"),
    cacheWrite: sum("cacheWrite"),
    output: sum("output"),
  };
}

/** What the answers of a run used. Null if nothing was recorded. */
export function tokenShares(ledger: Pick<AnswerLedger, "places" | "hasUsage">): TokenShares | null {
  if (!ledger.hasUsage()) return null;
  const usages = ledger.places().flatMap(({ usage }) => usage ?? []);
  const sum = (part: (usage: (typeof usages)[number]) => number | undefined): number =>
    usages.reduce((whole, usage) => whole + (part(usage) ?? 0), 0);
  return {
    input: sum(({ inputTokens }) => inputTokens),
    cacheRead: sum(({ cacheReadTokens }) => cacheReadTokens),
    cacheWrite: sum(({ cacheWriteTokens }) => cacheWriteTokens),
    output: sum(({ outputTokens }) => outputTokens),
  };
}
