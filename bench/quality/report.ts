import type { HeldGoal } from "./figures.ts";
import type { FigureKind, Instrument } from "./instruments.ts";
import { OURS } from "./judge-run.ts";
import type { Measurement, SourceFigures } from "./measure.ts";
import { groupBy, shareOf } from "./numbers.ts";
import type { Cell, Steadiness } from "./steadiness.ts";
import { type Interval, RESAMPLES, SEED } from "./windows.ts";

const MIN_WIDTH = 3;
const EXACT_DIGITS = 3;
/** So many changes that don't hold are named. */
const SHOWN = 24;

/** A Markdown table that can be read as it is: cells are padded. The first columns hold words, the others numbers. */
export function toTable(head: readonly string[], rows: readonly (readonly string[])[], wordColumns = 1): string {
  const widths = head.map((cell, at) => Math.max(MIN_WIDTH, cell.length, ...rows.map((row) => row[at]!.length)));
  const padded = (cell: string, at: number): string =>
    at < wordColumns ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!);
  const line = (cells: readonly string[]): string => `| ${cells.map(padded).join(" | ")} |`;
  const rule = widths.map((width, at) => `${"-".repeat(width + 1)}${at < wordColumns ? "-" : ":"}`);
  return [line(head), `|${rule.join("|")}|`, ...rows.map(line)].join("\n");
}

export function percent(part: number): string {
  return `${(100 * part).toFixed(1)}%`;
}

/** A figure in its unit; nothing where a detector has none. */
export function inUnit(value: number | undefined, unit: FigureKind["unit"]): string {
  if (value === undefined) return "";
  if (unit === "share") return percent(value);
  return unit === "ratio" ? value.toFixed(2) : `${value}`;
}

/** The same with so many digits that it can be told from a bound. */
function exactly(value: number | undefined, unit: FigureKind["unit"]): string {
  if (value === undefined) return "";
  const digits = (number: number): string => `${Number(number.toFixed(EXACT_DIGITS))}`;
  return unit === "share" ? `${digits(100 * value)}%` : digits(value);
}

/** A detector's name without its explanation; a founding document goes by its number. */
export function shortName(detector: string): string {
  return detector.replace(/:.*/s, "").replace("founding document ", "");
}

/** All figures in one table: a row for each, ours beside those of everybody else. */
export function instrumentsToMarkdown(instruments: readonly Instrument[]): string {
  const detectors = [
    ...new Set(instruments.flatMap(({ figures }) => figures.flatMap(({ values }) => Object.keys(values)))),
  ];
  const rows = instruments.flatMap(({ name, figures }) =>
    figures.map((figure, at) => [
      at === 0 ? name : "",
      figure.name,
      ...detectors.map((detector) => inUnit(figure.values[detector], figure.unit)),
    ]),
  );
  const columns = detectors.map((detector) => (detector === OURS ? `**${detector}**` : shortName(detector)));
  const explained = detectors.filter((name) => name !== shortName(name));
  return [
    ...instruments.map(({ name, data }) => `- ${name}: ${data}`),
    "",
    toTable(["instrument", "figure", ...columns], rows, 2),
    ...(explained.length === 0 ? [] : ["", "The published rules, which only speak:", ""]),
    ...explained.map((name) => `- ${name}`),
  ].join("\n");
}

/** What is behind the figures on recorded runs: intervals, and source by source. */
export function recordedToMarkdown({ detectors, sources, windows, disputed }: Measurement): string {
  const used = sources.filter(({ hasResults, successes }) => hasResults && successes.runs > 0);
  const { score, intervals } = detectors[0]!;
  const words = (name: string, { low, high }: Interval): string => `${name} ${low.toFixed(2)} to ${high.toFixed(2)}`;
  const { precision, recall, f1 } = intervals;
  const scored = [
    `doomloop: ${score.hits} hits, ${score.misses} misses, ${score.falseAlarms} false alarms, ${score.quiet} windows rightly left alone.`,
    `95 % intervals: ${words("precision", precision)}, ${words("recall", recall)}, ${words("F1", f1)} (${RESAMPLES} resamples by task, seed ${SEED}).`,
    `Disputed and left out: ${disputed} windows.`,
  ];
  return [
    ...(windows === 0 ? [] : scored),
    `Sources used for successes: ${used.map(({ source }) => source).join(", ") || "none"}.`,
    "",
    "| source | runs | calls | windows (loops) | successes | nudged | refused or ended | ended | alarms per 1,000 calls | precision, recall, F1 without it |",
    "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ...sources.map(sourceRow),
    ...(sources.some(isApart) ? ["", "\\* Shows no results: its successes are not in the figures above."] : []),
  ].join("\n");
}

function sourceRow(figures: SourceFigures): string {
  const { source, runs, calls, windows, loops, successes, alarmsPerThousandCalls, without } = figures;
  const { nudged, blocked, stopped } = successes;
  const cells = [
    isApart(figures) ? `${source} \\*` : source,
    runs,
    calls,
    `${windows} (${loops})`,
    successes.runs > 0 ? successes.runs : "",
    ...[nudged, blocked, stopped].map((each) => (successes.runs > 0 ? percent(each) : "")),
    alarmsPerThousandCalls.toFixed(1),
    [without.precision, without.recall, without.f1].map((each) => each.toFixed(2)).join(", "),
  ];
  return `| ${cells.join(" | ")} |`;
}

function isApart({ hasResults, successes }: SourceFigures): boolean {
  return !hasResults && successes.runs > 0;
}

/** Goals, what was measured, and whether that is enough. */
export function goalsToMarkdown(goals: readonly HeldGoal[]): string {
  const rows = goals.map(({ instrument, figure, bound, measured, isReached }) => {
    if (measured === undefined) return [instrument, figure, "", "", "not measured here"];
    const { unit, better, values } = measured;
    const goal = `${better === "more" ? ">=" : "<="} ${exactly(bound, unit)}`;
    return [instrument, figure, goal, exactly(values[OURS], unit), isReached ? "reached" : "not reached"];
  });
  return toTable(["instrument", "figure", "goal", "measured", "verdict"], rows, 2);
}

/** Steadiness by groups of changes, and what does not hold. */
export function steadinessToMarkdown({ loops, honest, ...figures }: Steadiness): string {
  const all = [...loops, ...honest];
  const rows = [...new Set(all.map(({ group }) => group))].map((group) => [
    group,
    ...heldCells(loops, group),
    ...heldCells(honest, group),
  ]);
  const failed = all.filter(({ isHeld }) => !isHeld);
  const byChange = groupBy(failed, ({ group, change }) => `${group}: ${change}`);
  const worst = [...byChange].sort(([, one], [, other]) => other.length - one.length).slice(0, SHOWN);
  return [
    toTable(["told in another way", "loops", "hold", "healthy runs", "hold"], rows),
    "",
    ...Object.entries(figures).map(([name, value]) => `${name}: ${value < 1 ? percent(value) : value}`),
    "",
    ...worst.map(([name, cells]) => `- ${name}: ${cells.length}, for example ${exampleOf(cells[0]!)}`),
  ].join("\n");
}

function heldCells(cells: readonly Cell[], group: string): string[] {
  const own = cells.filter((cell) => cell.group === group);
  return [`${own.length}`, own.length === 0 ? "" : percent(shareOf(own, ({ isHeld }) => isHeld))];
}

function exampleOf({ script, base, got }: Cell): string {
  const shown = ({ told, refused, ended }: Cell["base"]): string =>
    [told, refused, ended].map((call) => (call === Infinity ? "never" : call)).join("/");
  return `${script}, ${shown(base)} becomes ${shown(got)}`;
}
