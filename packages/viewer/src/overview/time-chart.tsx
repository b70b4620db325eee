import { useMemo } from "preact/hooks";
import type { Report } from "../../../doomloop/src/scan/report/report.ts";
import { count } from "../../../doomloop/src/scan/report/words.ts";
import { useRoving } from "../page/use-roving.ts";
import type { LoopRow } from "../report/report-index.ts";
import { bucketLoops, type TimeBucket } from "./bucket-loops.ts";
import { bucketName } from "./bucket-name.ts";

interface TimeChartProps {
  readonly rows: readonly LoopRow[];
  readonly report: Pick<Report, "range" | "generatedAt">;
  readonly onChoose: (span: { start: number; end: number }) => void;
}

const MAX_LABELS = 4;

/** Loops over time, a bar for each day, week, month or year. A bar narrows the table down to its span. */
export function TimeChart({ rows, report: { range, generatedAt }, onChoose }: TimeChartProps) {
  const { buckets, unit, undated, odd } = useMemo(
    () =>
      bucketLoops(
        rows.map(({ time }) => time),
        { since: timeOf(range.since), until: timeOf(range.until), madeAt: timeOf(generatedAt) },
      ),
    [rows, range, generatedAt],
  );
  const { list, onKeyDown, setCurrent, tabIndexOf } = useRoving(buckets.length);
  if (buckets.length === 0) return null;
  const most = Math.max(...buckets.map(({ loops }) => loops));
  const every = Math.ceil(buckets.length / MAX_LABELS);

  return (
    <section class="panel" aria-labelledby="over-time">
      <div class="panel-head">
        <h2 id="over-time">Loops over time</h2>
        <p class="note">
          by {unit}
          {undated > 0 && `, without ${count(undated, "loop")} of unknown time`}
          {odd > 0 && `, without ${count(odd, "loop")} with odd dates`}. A bar shows its loops in the table.
        </p>
      </div>
      <div class="chart">
        <span class="chart-most" aria-hidden="true">
          {count(most)}
        </span>
        <ol class="bars" ref={list} onKeyDown={onKeyDown}>
          {buckets.map((bucket, index) => (
            <li key={bucket.start}>
              <Bar
                bucket={bucket}
                unit={unit}
                most={most}
                tabIndex={tabIndexOf(index)}
                onFocus={() => setCurrent(index)}
                onChoose={onChoose}
              />
              {index % every === 0 && (
                <span class={index > buckets.length - every / 2 ? "bar-label is-last" : "bar-label"} aria-hidden="true">
                  {bucketName(bucket.start, unit, "short")}
                </span>
              )}
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}

interface BarProps {
  readonly bucket: TimeBucket;
  readonly unit: "day" | "week" | "month" | "year";
  readonly most: number;
  readonly tabIndex: number;
  readonly onFocus: () => void;
  readonly onChoose: TimeChartProps["onChoose"];
}

function Bar({ bucket: { start, end, loops }, unit, most, tabIndex, onFocus, onChoose }: BarProps) {
  const words = `${bucketName(start, unit, "long")}: ${count(loops, "loop")}`;
  return (
    <button
      type="button"
      class="bar"
      tabIndex={tabIndex}
      onFocus={onFocus}
      aria-label={words}
      aria-disabled={loops === 0}
      title={words}
      onClick={() => loops > 0 && onChoose({ start, end })}
    >
      <span class="bar-fill" style={{ height: `${(loops / most) * 100}%` }} />
    </button>
  );
}

function timeOf(at: string | null): number | null {
  const time = Date.parse(at ?? "");
  return Number.isNaN(time) ? null : time;
}
