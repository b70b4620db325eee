import type { Instrument } from "../instruments/instrument.ts";
import { OURS } from "../judged-run.ts";
import type { Earning } from "../without/earning.ts";
import { linesOf } from "../without/lines-of.ts";
import type { Mechanism } from "../without/mechanisms.ts";
import { toTable } from "./table.ts";
import { exactly, percent } from "./units.ts";

/** The mechanisms, the lines that they take, and where. */
export function mechanismsToMarkdown(mechanisms: readonly Mechanism[]): string {
  const rows = mechanisms.map((each) => [each.name, each.takes.join(", "), `${linesOf(each)}`]);
  return toTable(["mechanism", "where", "lines"], rows, 2).join("\n");
}

/** What differs without a mechanism, figure by figure. */
export function figuresToMarkdown({ name, lines, runs, figures }: Earning): string {
  const { all, different, newlySpoken, silenced } = runs;
  const head =
    `Without ${name} (${lines} lines), our guard decides differently in ${different} of ${all} runs: ` +
    `${newlySpoken} are newly spoken to, ${silenced} no longer.`;
  if (figures.length === 0) return `${head}\n\nNo figure differs.`;
  const rows = figures.map(({ instrument, name: figure, unit, before, after, isWorse }) => [
    instrument,
    figure,
    exactly(before, unit),
    exactly(after, unit),
    isWorse ? "worse" : "better",
  ]);
  return [head, "", ...toTable(["instrument", "figure", "with", "without", ""], rows, 2)].join("\n");
}

/** What each mechanism earns, a row each, the least first; the first row is the guard as it is. */
export function earningsToMarkdown(base: readonly Instrument[], earnings: readonly Earning[]): string {
  const rows = earnings
    .toSorted((one, other) => one.runs.different - other.runs.different || other.lines - one.lines)
    .map(({ name, lines, instruments, runs, figures }) => [
      name,
      lines === 0 ? "few" : `${lines}`,
      ...chosenFigures(instruments),
      `${figures.filter(({ isWorse }) => isWorse).length} / ${figures.filter(({ isWorse }) => !isWorse).length}`,
      `${runs.different}`,
      `${runs.newlySpoken}`,
      `${runs.silenced}`,
    ]);
  const head = [
    "without",
    "lines",
    "windows: P / R",
    "everyday innocents: spoken to (mean of the sets) / refused / ended",
    "loops in time (mean of the sets)",
    "sessions spoken to",
    "figures worse / better",
    "runs that differ",
    "newly spoken to",
    "silenced",
  ];
  return toTable(head, [["(nothing)", "", ...chosenFigures(base), "", "", "", ""], ...rows]).join("\n");
}

function chosenFigures(instruments: readonly Instrument[]): string[] {
  const [windows, sessions] = ["recorded windows", "real sessions"].map((name) =>
    instruments.filter((each) => each.name === name),
  );
  const everyday = instruments.filter(({ name }) => name.startsWith("everyday, "));
  const ratio = (value: number): string => value.toFixed(3);
  const innocents = [
    told(everyday, "innocents spoken to", percent),
    told(everyday, "innocents refused", String),
    told(everyday, "innocents ended", String),
  ];
  return [
    ["precision", "recall"].map((figure) => told(windows!, figure, ratio)).join(" / "),
    innocents.join(" / "),
    told(everyday, "loops found in time", percent),
    told(sessions!, "spoken to", String),
  ];
}

/** A figure over several instruments: counts are added up, of anything else it is the mean. */
function told(instruments: readonly Instrument[], name: string, tell: (value: number) => string): string {
  const figures = instruments.flatMap(({ figures: own }) => own.filter((each) => each.name === name));
  const values = figures.map(({ values: own }) => own[OURS] ?? 0);
  const sum = values.reduce((total, value) => total + value, 0);
  if (figures.length === 0) return "-";
  return tell(figures[0]!.unit === "count" ? sum : sum / values.length);
}
