import type { AnswerLedger } from "../costs/answer-ledger.ts";
import type { FileRead, TokenShares, Work, WorkTime } from "../report/work.ts";
import type { RunHabits } from "../run-record.ts";
import { activeDays, type ReadClock } from "./active-days.ts";
import { joinChecks } from "./check-runs.ts";
import type { WorkPart } from "./run-work.ts";
import { joinShares, joinTools } from "./work-shares.ts";

const MAX_TOOLS = 10;
const MAX_KINDS = 8;
const MAX_CHECKS = 10;
const MAX_FILES = 5;

interface WorkingRun {
  readonly id: string;
  /** For a subagent's run, the id of the main agent's run. */
  readonly partOf: string | null;
  readonly record: { readonly work: readonly WorkPart[]; readonly habits: Pick<RunHabits, "files"> | null };
}

/** Adds up what runs did. Only runs without copies tell which files they read most. */
export function workOf(runs: readonly WorkingRun[], clock: ReadClock): Work {
  // Files finish in any order.
  const ordered = [...runs].sort((one, other) => (one.id < other.id ? -1 : 1));
  const known = ordered.flatMap(({ id, partOf, record }) =>
    record.work.map((work) => ({ session: partOf ?? id, work })),
  );
  const sum = (figure: (work: WorkPart) => number): number => known.reduce((all, { work }) => all + figure(work), 0);
  const listed = <File extends { readonly times: number }>(filesOf: (files: RunHabits["files"]) => readonly File[]) =>
    ordered
      .flatMap(({ id, record: { habits } }) =>
        habits === null ? [] : filesOf(habits.files).map((file) => ({ ...file, session: id })),
      )
      .sort((one, other) => other.times - one.times || (one.session < other.session ? -1 : 1))
      .slice(0, MAX_FILES);
  return {
    calls: sum(({ calls }) => calls),
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
      most: listed(({ most }): readonly Omit<FileRead, "session">[] => most),
    },
    checks: joinChecks(
      known.map(({ work }) => work.checks),
      MAX_CHECKS,
    ),
    compactions: {
      count: sum(({ compactions }) => compactions),
      sessions: new Set(known.filter(({ work }) => work.compactions > 0).map(({ session }) => session)).size,
      readAgain: sum(({ files }) => files.readAgain),
      most: listed(({ lost }) => lost),
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

/** What a run's answers after `from`, up to and including `to`, used. Null if nothing was recorded. */
export function tokenShares(
  ledger: Pick<AnswerLedger, "places" | "placeOf" | "hasUsage">,
  from: number,
  to: number,
): TokenShares | null {
  if (!ledger.hasUsage()) return null;
  const places = ledger.places().slice(ledger.placeOf(from) + 1, ledger.placeOf(to) + 1);
  const usages = places.flatMap(({ usage }) => usage ?? []);
  const sum = (part: (usage: (typeof usages)[number]) => number | undefined): number =>
    usages.reduce((whole, usage) => whole + (part(usage) ?? 0), 0);
  return {
    input: sum(({ inputTokens }) => inputTokens),
    cacheRead: sum(({ cacheReadTokens }) => cacheReadTokens),
    cacheWrite: sum(({ cacheWriteTokens }) => cacheWriteTokens),
    output: sum(({ outputTokens }) => outputTokens),
  };
}
