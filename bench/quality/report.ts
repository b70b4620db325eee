import { type Interval, RESAMPLES, SEED } from "./bootstrap.ts";
import type { LeaveOneOut } from "./leave-one-out.ts";
import type { DetectorFigures, Measurement, SourceFigures } from "./measure.ts";
import { OURS } from "./replay-source.ts";

/** The measurement as Markdown. */
export function toMarkdown(measurement: Measurement, preset: string): string {
  const { detectors, sources, successes, windows, loops, disputed, reliability } = measurement;
  const used = sources.filter(({ hasResults, successes: own }) => hasResults && own.runs > 0);
  return [
    `${windows} windows, ${loops} of them loops, and ${disputed} more that are disputed and left out. Preset ${preset}.`,
    "",
    "| detector | precision | recall | F1 | median delay in calls | successes in which it speaks | alarms per 1,000 calls |",
    "|---|--:|--:|--:|--:|--:|--:|",
    ...detectors.map((figures) => detectorRow(figures, successes.runs > 0)),
    "",
    ...intervalLines(detectors[0]!),
    "",
    `Successful runs: ${successes.runs}. Nudged ${percent(successes.nudged)}, a call refused or the run ended ${percent(successes.blocked)}, ended ${percent(successes.stopped)}.`,
    `Sources used for them: ${used.map(({ source }) => source).join(", ") || "none"}.`,
    "",
    "| source | runs | calls | windows (loops) | successes | nudged | refused or ended | ended | alarms per 1,000 calls | precision, recall, F1 without it |",
    "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ...sources.map(sourceRow),
    ...(sources.some(isApart) ? ["", "\\* Shows no results: its successes are not in the figures above."] : []),
    "",
    "| confidence of the finding | windows in which it spoke first | right |",
    "|--:|--:|--:|",
    ...reliability.map(({ confidence, windows: spoken, right }) => `| ${fixed(confidence)} | ${spoken} | ${right} |`),
  ].join("\n");
}

/** Thresholds chosen without a source and used on it, as Markdown. */
export function leftOutToMarkdown({ sources, pooled }: LeaveOneOut): string {
  return [
    "| source left out | chosen without it | hits | misses | false alarms |",
    "|---|---|--:|--:|--:|",
    ...sources.map(
      ({ source, chosen, score }) =>
        `| ${source} | ${chosen} | ${score.hits} | ${score.misses} | ${score.falseAlarms} |`,
    ),
    "",
    `All together: precision ${fixed(pooled.precision)}, recall ${fixed(pooled.recall)}, F1 ${fixed(pooled.f1)}.`,
  ].join("\n");
}

function detectorRow(figures: DetectorFigures, hasSuccesses: boolean): string {
  const { name, score, successesAlarmed, alarmsPerThousandCalls } = figures;
  const { precision, recall, f1, medianDelay } = score;
  const cells = [
    fixed(precision),
    fixed(recall),
    fixed(f1),
    medianDelay ?? "",
    hasSuccesses ? percent(successesAlarmed) : "",
  ];
  return `| ${name === OURS ? `**${name}**` : name} | ${cells.join(" | ")} | ${alarmsPerThousandCalls.toFixed(1)} |`;
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

function fixed(part: number): string {
  return part.toFixed(2);
}

function percent(part: number): string {
  return `${(100 * part).toFixed(1)} %`;
}
