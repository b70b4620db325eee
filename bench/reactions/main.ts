import { parseArgs } from "node:util";
import { findData } from "../quality/find-data.ts";
import { type GuardChoice, loadGuard } from "../quality/load-guard.ts";
import { toTable } from "../quality/report/table.ts";
import { percent } from "../quality/report/units.ts";
import { shareOf } from "../quality/share.ts";
import { REACTIONS } from "./honest-agent.ts";
import { asked as askedFor, type HonestSeries, items, tickets } from "./honest-series.ts";
import { liveSeries } from "./live-series.ts";
import { type HonestRun, measureReactions, type StuckRun } from "./measure-reactions.ts";
import { STUCK_WAYS } from "./stuck-agent.ts";

/**
 * What a refusal costs an honest agent, and whether an agent that is stuck is ended.
 *
 * `main.ts [--guard MODULE] [--preset NAME] [--half tune|aside|all] [-v]`. `-v` names honest runs that are refused or ended, and loops that
 * are not ended, of the half to tune on unless `--half` says otherwise.
 */
const { values: asked } = parseArgs({
  options: {
    guard: { type: "string" },
    preset: { type: "string" },
    half: { type: "string", default: "tune" },
    verbose: { type: "boolean", short: "v", default: false },
  },
});
const choice = asked as GuardChoice;
const { traces } = findData({ folder: undefined, labels: undefined }, process.env);
const { honest, stuck } = await measureReactions(traces.everyday, choice);
const createGuard = await loadGuard(choice);

printHonest(honest);
printStuck(stuck);
printSeries({ items, "asked for in other words": askedFor, "records that speak of failures": tickets });

function isAskedFor({ half }: HonestRun | StuckRun): boolean {
  return asked.half === "all" || half === asked.half;
}

function printHonest(runs: readonly HonestRun[]): void {
  const rows = REACTIONS.map((reaction) => {
    const costs = runs.map((run) => run.costs[reaction]);
    const sum = (field: "refusedCalls" | "turnsLost"): string =>
      `${costs.reduce((total, cost) => total + cost[field], 0)}`;
    return [
      `honest, ${reaction}`,
      `${runs.length}`,
      percent(shareOf(costs, ({ isTold }) => isTold)),
      percent(shareOf(costs, ({ turnsLost }) => turnsLost > 0)),
      percent(shareOf(costs, ({ isEnded }) => isEnded)),
      sum("refusedCalls"),
      sum("turnsLost"),
    ];
  });
  console.log(toTable(["agent", "runs", "told", "refused", "ended", "calls refused", "turns lost"], rows).join("\n"));
  if (!asked.verbose) return;
  for (const { run, costs } of runs.filter(isAskedFor))
    for (const reaction of REACTIONS) {
      const { turnsLost, isEnded } = costs[reaction];
      if (turnsLost > 0 || isEnded)
        console.log(`${reaction}: ${run}: ${turnsLost} turns lost${isEnded ? ", ended" : ""}`);
    }
}

function printStuck(runs: readonly StuckRun[]): void {
  const rows = STUCK_WAYS.map((way) => {
    const ends = runs.map((run) => run.ends[way]);
    const cells = (["told", "refused", "ended"] as const).flatMap((field) => [
      percent(shareOf(ends, (end) => end[field] !== undefined)),
      median(ends.flatMap((end) => end[field] ?? [])),
    ]);
    return [`stuck, ${way}`, `${runs.length}`, ...cells];
  });
  const head = ["agent", "runs", "told", "after", "refused", "after", "ended", "after"];
  console.log(`\n${toTable(head, rows).join("\n")}`);
  if (!asked.verbose) return;
  for (const { run, ends } of runs.filter(isAskedFor))
    for (const way of STUCK_WAYS) {
      const { told = "-", refused = "-", ended } = ends[way];
      if (ended === undefined) console.log(`${way}: ${run}: not ended, told ${told}, refused ${refused}`);
    }
}

function printSeries(groups: Readonly<Record<string, readonly HonestSeries[]>>): void {
  const rows = Object.entries(groups).map(([name, group]) => {
    const ends = group.map((series) => ({ series, end: liveSeries(series, createGuard) }));
    const count = (holds: (each: (typeof ends)[number]) => boolean): string => `${ends.filter(holds).length}`;
    if (asked.verbose)
      for (const { series, end } of ends)
        if (end.isTold) console.log(`${name}: ${series.name}: ${JSON.stringify(end)}`);
    return [
      name,
      `${group.length}`,
      count(({ end }) => end.isTold),
      count(({ end }) => end.refusals > 0),
      count(({ end }) => end.isEndedWithin),
      count(({ end }) => end.endedAt !== undefined),
    ];
  });
  const head = [
    "honest series, insisting",
    "series",
    "told",
    "refused",
    "ended within the calls asked for",
    "ended before all is done",
  ];
  console.log(`\n${toTable(head, rows).join("\n")}`);
}

function median(values: readonly number[]): string {
  return `${values.toSorted((one, other) => one - other)[values.length >> 1] ?? "-"}`;
}
