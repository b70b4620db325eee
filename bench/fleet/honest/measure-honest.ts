import { type Figure, toTable } from "../tables.ts";
import { deadEndKinds, honestKinds } from "./honest-kinds.ts";
import { type OutageOptions, simulateOutage } from "./simulate-outage.ts";
import { type SwarmSize, simulateDeadEnd, simulateHonest } from "./simulate-swarm.ts";
import { unseenDeadEndKinds, unseenHonestKinds } from "./unseen-kinds.ts";

const MOST_TOLD = 1;
const TWO_HEARTBEATS = 10;
const OUTAGE_PROCESSES = 10_000;

/**
 * Lets a simulated swarm do honest work and run into dead ends, with the real guards and fleets on a simulated clock. Prints who was told
 * falsely, how soon dead ends were known, and what a store is asked in an outage. `processes` is how many the outage has.
 */
export async function measureHonest(size: SwarmSize, processes = OUTAGE_PROCESSES): Promise<Figure[]> {
  const figures: Figure[] = [];
  const honest: string[][] = [];
  for (const kind of [...honestKinds, ...unseenHonestKinds]) {
    const { title, workers, told, findings } = await simulateHonest(kind, size);
    const percent = (100 * told) / workers;
    honest.push([title, String(told), `${percent.toFixed(2)} %`, String(findings)]);
    figures.push({ what: `told falsely: ${title}`, measured: percent, unit: "%", goal: { atMost: MOST_TOLD } });
  }
  console.log(
    toTable([`${size.workers} workers in ${size.processes} processes`, "told", "share", "announced"], honest),
  );
  const ends: string[][] = [];
  for (const kind of [...deadEndKinds, ...unseenDeadEndKinds]) {
    const { title, medianMs = Infinity, lastMs = Infinity, findings } = await simulateDeadEnd(kind, size);
    const [median, last] = [medianMs / 1000, lastMs / 1000];
    ends.push([title, `${median.toFixed(1)} s`, `${last.toFixed(1)} s`, String(findings)]);
    if (kind.isMissed) continue;
    figures.push({ what: `known to all: ${title}`, measured: last, unit: "s", goal: { atMost: TWO_HEARTBEATS } });
  }
  console.log(`\n${toTable(["dead end", "half of the processes know", "all know", "announced"], ends)}`);
  return [...figures, ...(await measureOutage({ processes, seed: size.seed }))];
}

/** Lets all processes fail one call every two seconds, and prints what the store is asked. */
export async function measureOutage(options: OutageOptions): Promise<Figure[]> {
  const outage = await simulateOutage(options);
  const rows = Object.entries(outage).map(([what, value]) => [
    what,
    what.startsWith("cores") ? value.toFixed(2) : String(Math.round(value)),
  ]);
  console.log(`\n${toTable(["all fail one call every two seconds", ""], rows)}`);
  const what = `an outage of ${options.processes} processes, busiest second, of one core`;
  return [{ what, measured: outage.coresAtPeak * 100, unit: "%", goal: { atMost: 100 } }];
}
