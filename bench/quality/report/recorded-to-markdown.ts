import { type Interval, RESAMPLES, SEED } from "../bootstrap.ts";
import type { DetectorFigures, Measurement, SourceFigures } from "../measure.ts";
import { fixed, percent } from "./units.ts";

/** What is behind the figures on recorded runs: intervals, and source by source. */
export function recordedToMarkdown(measurement: Measurement): string {
  const { detectors, sources, windows, disputed } = measurement;
  const used = sources.filter(({ hasResults, successes: own }) => hasResults && own.runs > 0);
  return [
    ...(windows === 0 ? [] : [...intervalLines(detectors[0]!), `Disputed and left out: ${disputed} windows.`]),
    `Sources used for successes: ${used.map(({ source }) => source).join(", ") || "none"}.`,
    "",
    "| source | runs | calls | windows (loops) | successes | nudged | refused or ended | ended | alarms per 1,000 calls | precision, recall, F1 without it |",
    "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ...sources.map(sourceRow),
    ...(sources.some(isApart) ? ["", "\\* Shows no results: its successes are not in the figures above."] : []),
  ].join("\n");
}

function intervalLines({ score, intervals }: DetectorFigures): string[] {
  const { hits, misses, falseAlarms, quiet } = score;
  const words = (name: string, { low, high }: Interval): string => `${name} ${fixed(low)} to ${fixed(high)}`;
  const { precision, recall, f1 } = intervals;
  return [
    `doomloop: ${hits} hits, ${misses} misses, ${falseAlarms} false alarms, ${quiet} windows rightly left alone.`,
    `95 % intervals: ${words("precision", precision)}, ${words("recall", recall)}, ${words("F1", f1)} (${RESAMPLES} resamples by task, seed ${SEED}).`,
  ];
}

function sourceRow(figures: SourceFigures): string {
  const { source, runs, calls, windows, loops, successes, alarmsPerThousandCalls, without } = figures;
  const shares = [successes.nudged, successes.blocked, successes.stopped].map((each) =>
    successes.runs > 0 ? percent(each) : "",
  );
  return `| ${[
    isApart(figures) ? `${source} \\*` : source,
    runs,
    calls,
    `${windows} (${loops})`,
    successes.runs > 0 ? successes.runs : "",
    ...shares,
    alarmsPerThousandCalls.toFixed(1),
    [without.precision, without.recall, without.f1].map(fixed).join(", "),
  ].join(" | ")} |`;
}

function isApart({ hasResults, successes }: SourceFigures): boolean {
  return !hasResults && successes.runs > 0;
}
