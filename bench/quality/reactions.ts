import { type HonestRun, REACTIONS, type Reactions, STUCK_WAYS, type StuckRun } from "./agents.ts";
import { type GuardChoice, loadGuard } from "./guard.ts";
import { shareOf } from "./numbers.ts";
import { percent, toTable } from "./report.ts";
import { asked, type HonestSeries, items, liveSeries, tickets } from "./series.ts";
import { askWorkers } from "./workers.ts";

/** Replays all everyday runs of some files by agents that react, and by agents that don't. */
export async function measureReactions(paths: readonly string[], choice: GuardChoice): Promise<Reactions> {
  const measured = await askWorkers<Reactions>("react", choice, paths);
  return { honest: measured.flatMap(({ honest }) => honest), stuck: measured.flatMap(({ stuck }) => stuck) };
}

/**
 * Prints what a refusal costs a healthy agent, and whether an agent that is stuck is ended. With a half of the runs, names those of it that are refused
 * or ended, and loops that are not ended.
 */
export async function printReactions(
  paths: readonly string[],
  choice: GuardChoice,
  half: string | undefined,
): Promise<void> {
  const { honest, stuck } = await measureReactions(paths, choice);
  const isNamed = (run: HonestRun | StuckRun): boolean => half === "all" || run.half === half;
  printHonest(honest, isNamed);
  printStuck(stuck, isNamed);
  const createGuard = await loadGuard(choice);
  const groups = { items, "asked for in other words": asked, "records that speak of failures": tickets };
  const lines: string[] = [];
  const rows = Object.entries(groups).map(([name, group]) => {
    const ends = group.map((series: HonestSeries) => ({ series, end: liveSeries(series, createGuard) }));
    const count = (holds: (each: (typeof ends)[number]) => boolean): string => `${ends.filter(holds).length}`;
    for (const { series, end } of ends) if (end.isTold) lines.push(`${name}: ${series.name}: ${JSON.stringify(end)}`);
    return [
      ...[name, `${group.length}`],
      count(({ end }) => end.isTold),
      count(({ end }) => end.refusals > 0),
      count(({ end }) => end.isEndedWithin),
      count(({ end }) => end.endedAt !== undefined),
    ];
  });
  if (half !== undefined) for (const line of lines) console.log(line);
  const ended = ["ended within the calls asked for", "ended before all is done"];
  console.log(`\n${toTable(["honest series, insisting", "series", "told", "refused", ...ended], rows)}`);
}

function printHonest(runs: readonly HonestRun[], isNamed: (run: HonestRun) => boolean): void {
  const rows = REACTIONS.map((reaction) => {
    const costs = runs.map((run) => run.costs[reaction]);
    const sum = (field: "refusedCalls" | "turnsLost"): string =>
      `${costs.reduce((total, cost) => total + cost[field], 0)}`;
    return [
      ...[`honest, ${reaction}`, `${runs.length}`],
      percent(shareOf(costs, ({ isTold }) => isTold)),
      percent(shareOf(costs, ({ turnsLost }) => turnsLost > 0)),
      percent(shareOf(costs, ({ isEnded }) => isEnded)),
      ...[sum("refusedCalls"), sum("turnsLost")],
    ];
  });
  console.log(toTable(["agent", "runs", "told", "refused", "ended", "calls refused", "turns lost"], rows));
  for (const { run, costs } of runs.filter(isNamed))
    for (const reaction of REACTIONS) {
      const { turnsLost, isEnded } = costs[reaction];
      if (turnsLost > 0 || isEnded)
        console.log(`${reaction}: ${run}: ${turnsLost} turns lost${isEnded ? ", ended" : ""}`);
    }
}

function printStuck(runs: readonly StuckRun[], isNamed: (run: StuckRun) => boolean): void {
  const rows = STUCK_WAYS.map((way) => {
    const ends = runs.map((run) => run.ends[way]);
    const cells = (["told", "refused", "ended"] as const).flatMap((field) => {
      const after = ends.flatMap((end) => end[field] ?? []).sort((one, other) => one - other);
      return [percent(shareOf(ends, (end) => end[field] !== undefined)), `${after[after.length >> 1] ?? "-"}`];
    });
    return [`stuck, ${way}`, `${runs.length}`, ...cells];
  });
  console.log(`\n${toTable(["agent", "runs", "told", "after", "refused", "after", "ended", "after"], rows)}`);
  for (const { run, ends } of runs.filter(isNamed))
    for (const way of STUCK_WAYS) {
      const { told = "-", refused = "-", ended } = ends[way];
      if (ended === undefined) console.log(`${way}: ${run}: not ended, told ${told}, refused ${refused}`);
    }
}
