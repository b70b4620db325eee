import { useState } from "preact/hooks";
import { lateSpending } from "../../../doomloop/src/scan/report/amounts.ts";
import type { Spent } from "../../../doomloop/src/scan/report/report.ts";
import { Segments } from "../page/segments.tsx";
import type { LoopRow } from "../report/report-index.ts";
import type { LoopFilter } from "../table/filter-loops.ts";
import { Breakdown } from "./breakdown.tsx";
import type { GroupBy, Measure } from "./group-loops.ts";

interface BreakdownsProps {
  readonly rows: readonly LoopRow[];
  readonly onChoose: (filter: LoopFilter) => void;
}

const SIDES: readonly (readonly [GroupBy, string])[] = [
  ["agent", "Agents"],
  ["project", "Projects"],
  ["tool", "Tools"],
  ["kind", "Kinds of loops"],
];

/** Where the loops cost most, from four sides and by a measure of choice. */
export function Breakdowns({ rows, onChoose }: BreakdownsProps) {
  const measures = measuresOf(rows);
  const [chosen, setChosen] = useState<Measure>();
  const measure = chosen ?? measures[0]?.[0] ?? "calls";

  const isRange = measure !== "calls" && rows.some(({ loop }) => isWide(lateSpending(loop.afterOnset), measure));

  return (
    <section class="panel" aria-labelledby="where">
      <div class="panel-head note-below">
        <h2 id="where">Where the cost of loops went</h2>
        <p class="note">
          Spent after doomloop would have stepped in. If a loop used several tools, each gets an equal share.
          {isRange && " Light colour: what is not known closely."}
        </p>
        <Segments label="Measure" name="measure" options={measures} value={measure} onChange={setChosen} />
      </div>
      <div class="breakdowns">
        {SIDES.map(([by, title]) => (
          <Breakdown key={by} rows={rows} by={by} title={title} measure={measure} onChoose={onChoose} />
        ))}
      </div>
    </section>
  );
}

function measuresOf(rows: readonly LoopRow[]): readonly (readonly [Measure, string])[] {
  const has = (part: "costUsd" | "tokens") => rows.some(({ loop }) => loop.afterOnset[part] !== null);
  return [
    ...(has("costUsd") ? ([["cost", "Money"]] as const) : []),
    ...(has("tokens") ? ([["tokens", "Tokens"]] as const) : []),
    ["calls", "Calls"],
  ];
}

function isWide({ costUsd, tokens }: Spent, measure: Measure): boolean {
  const amount = measure === "cost" ? costUsd : tokens;
  return amount !== null && amount.low < amount.high;
}
