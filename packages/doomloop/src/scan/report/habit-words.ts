import { isSome, lateSpending, moneyInWords, spentInWords, tokensInWords } from "./amounts.ts";
import type { Amount, Habits, RepeatedCall, Report, SessionSummary, Totals } from "./report.ts";
import { count, reasonWords } from "./words.ts";

/** A fact about sessions, in lines. Contains text from transcripts: escape before showing. */
export interface HabitFact {
  readonly name: string;
  readonly lines: readonly string[];
}

const MAX_LINES = 2;
const MAX_TEXT = 120;

/** What sessions did apart from loops, for people who have none. Facts that say nothing are left out. */
export function habitFacts(report: Pick<Report, "sessions" | "habits">): readonly HabitFact[] {
  const { habits, sessions } = report;
  const facts = [
    { name: "Most expensive", lines: dearest(sessions) },
    { name: "Repeated most", lines: habits.repeated.slice(0, MAX_LINES).map(repeatedInWords) },
    { name: "Nearest to a loop", lines: habits.nearest === null ? [] : [nearestInWords(habits.nearest)] },
    { name: "Checks and edits", lines: checksInWords(habits) },
    { name: "Failed calls", lines: habits.calls === 0 ? [] : [failedInWords(habits)] },
  ];
  return facts.filter(({ lines }) => lines.length > 0);
}

/** All by one measure: what they cost at least, if any has a price, else tokens. */
function dearest(sessions: readonly SessionSummary[]): readonly string[] {
  const isMoney = sessions.some(({ costUsd }) => isSome(costUsd));
  const amountOf = ({ costUsd, tokens }: SessionSummary): Amount | null => (isMoney ? costUsd : tokens);
  const inWords = isMoney ? moneyInWords : tokensInWords;
  return sessions
    .flatMap((session) => {
      const amount = amountOf(session);
      return isSome(amount) ? [{ session, amount }] : [];
    })
    .toSorted((one, other) => other.amount.low - one.amount.low || other.amount.high - one.amount.high)
    .slice(0, MAX_LINES)
    .map(({ session: { agentName, project, id, calls }, amount }) => {
      const who = [agentName, ...(project === null ? [] : [project])].map((name) => name.slice(0, MAX_TEXT)).join(", ");
      return `${inWords(amount)}, ${count(calls, "call")}: ${who}, session ${id}`;
    });
}

function repeatedInWords({ what, times, reason, session }: RepeatedCall): string {
  const why = reason === null ? "" : `; mostly ${reasonWords(reason)}`;
  return `${what.slice(0, MAX_TEXT)}, ${count(times, "time")} in session ${session}${why}`;
}

function nearestInWords({ what, times, session }: RepeatedCall): string {
  return `${what.slice(0, MAX_TEXT)}, ${count(times, "time")} in a row with nothing new, session ${session}`;
}

function checksInWords({ testRuns, edits }: Habits): readonly string[] {
  if (testRuns === 0 && edits === 0) return [];
  const ratio = edits === 0 || testRuns === 0 ? "" : `: ${(testRuns / edits).toFixed(1)} runs for each edit`;
  return [`${count(testRuns, "run")} of tests, linters and builds, ${count(edits, "edit")} of files${ratio}`];
}

function failedInWords({ failedCalls, calls }: Habits): string {
  return `${count(failedCalls)} of ${count(calls)} (${shareInWords(failedCalls, calls)})`;
}

function shareInWords(part: number, whole: number): string {
  return whole === 0 ? "0%" : `${((100 * part) / whole).toFixed(1)}%`;
}

/** A figure of this time, beside the time before. */
export interface ComparedFigure {
  readonly name: string;
  readonly now: string;
  readonly before: string;
}

/** The figures of two times side by side. Empty if the report does not compare. */
export function comparedFigures({
  totals,
  habits,
  compared,
}: Pick<Report, "totals" | "habits" | "compared">): readonly ComparedFigure[] {
  if (compared == null) return [];
  const figure = (name: string, inWords: (totals: Totals, habits: Habits) => string): ComparedFigure => ({
    name,
    now: inWords(totals, habits),
    before: inWords(compared.totals, compared.habits),
  });
  return [
    figure("sessions", ({ sessions }) => count(sessions)),
    figure("of them with loops", ({ sessionsWithLoops }) => count(sessionsWithLoops)),
    figure("loops", ({ loops }) => count(loops)),
    figure("possible loops", ({ possibleLoops }) => count(possibleLoops ?? 0)),
    figure("calls", ({ calls }) => count(calls)),
    figure("calls that failed", (_, { failedCalls, calls }) => (calls === 0 ? "-" : shareInWords(failedCalls, calls))),
    figure("spent", spentOrNothing),
    figure("spent after doomloop would have stepped in", ({ afterOnset }) => spentOrNothing(lateSpending(afterOnset))),
  ];
}

function spentOrNothing(spent: Pick<Totals, "tokens" | "costUsd">): string {
  return spent.costUsd === null && spent.tokens === null ? "-" : spentInWords(spent);
}
