import { lateSpending, spentInWords } from "./amounts.ts";
import type { RepeatedCall, Report, Totals } from "./report.ts";
import { count, reasonWords } from "./words.ts";

const MAX_TEXT = 120;

/** A call that was made often, and why it is no loop. Contains text from transcripts: escape before showing. */
export function repeatInWords({ what, times, reason, session }: RepeatedCall): {
  readonly what: string;
  readonly why: string;
} {
  const why = reason === null ? "it did not come back often enough in a row" : reasonWords(reason);
  return { what: `${what.slice(0, MAX_TEXT)}, ${count(times, "time")} in session ${session}`, why: `mostly ${why}` };
}

/** A figure of this time, beside the time before. */
interface ComparedFigure {
  readonly name: string;
  readonly now: string;
  readonly before: string;
}

/** The figures of two times side by side. Empty if the report does not compare. */
export function comparedFigures({ totals, compared }: Pick<Report, "totals" | "compared">): readonly ComparedFigure[] {
  if (compared == null) return [];
  const figure = (name: string, inWords: (totals: Totals) => string): ComparedFigure => ({
    name,
    now: inWords(totals),
    before: inWords(compared.totals),
  });
  return [
    figure("sessions", ({ sessions }) => count(sessions)),
    figure("of them with loops", ({ sessionsWithLoops }) => count(sessionsWithLoops)),
    figure("loops", ({ loops }) => count(loops)),
    figure("possible loops", ({ possibleLoops }) => count(possibleLoops ?? 0)),
    figure("calls", ({ calls }) => count(calls)),
    figure("spent", spentOrNothing),
    figure("spent after doomloop would have stepped in", ({ afterOnset }) => spentOrNothing(lateSpending(afterOnset))),
  ];
}

function spentOrNothing(spent: Pick<Totals, "tokens" | "costUsd">): string {
  return spent.costUsd === null && spent.tokens === null ? "-" : spentInWords(spent);
}
