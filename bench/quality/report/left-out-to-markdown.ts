import type { LeaveOneOut } from "../leave-one-out.ts";
import { fixed } from "./units.ts";

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
