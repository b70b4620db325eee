import { type Figure, toTable } from "../tables.ts";
import { type OutageOptions, simulateOutage } from "./simulate-outage.ts";
import type { DeadEndOutcome, HonestOutcome, SwarmSize } from "./simulate-swarm.ts";
import { simulateKinds } from "./simulate-threads.ts";

const MOST_TOLD = 1;
const TWO_HEARTBEATS = 10;
const OUTAGE_PROCESSES = 10_000;

/**
 * Lets a simulated swarm do honest work and run into dead ends, with the real guards and fleets on a simulated clock. Prints who was told
 * falsely, how soon dead ends were known, and what a store is asked in an outage. `processes` is how many the outage has.
 */
export async function measureHonest(size: SwarmSize, processes = OUTAGE_PROCESSES): Promise<Figure[]> {
  const figures: Figure[] = [];
  console.log(`${size.workers} workers in ${size.processes} processes:\n`);
  await simulateKinds(size, (kind) => {
    const { line, figure } = kind.what === "honest" ? honestLine(kind.outcome) : endLine(kind.outcome, kind.isMissed);
    console.log(line);
    if (figure !== undefined) figures.push(figure);
  });
  figures.sort((one, other) => one.what.localeCompare(other.what));
  return [...figures, ...(await measureOutage({ processes, seed: size.seed }))];
}

interface Line {
  readonly line: string;
  readonly figure: Figure | undefined;
}

function honestLine({ title, workers, told, findings }: HonestOutcome): Line {
  const percent = (100 * told) / workers;
  return {
    line: `honest: ${told} told (${percent.toFixed(2)}%), ${findings} announced: ${title}`,
    figure: { what: `told falsely: ${title}`, measured: percent, unit: "%", goal: { atMost: MOST_TOLD } },
  };
}

/** A dead end that the fleet takes for the worker's own has no goal. */
function endLine({ title, medianMs = Infinity, lastMs = Infinity, findings }: DeadEndOutcome, isMissed: boolean): Line {
  const [median, last] = [medianMs / 1000, lastMs / 1000];
  const known =
    medianMs === Infinity ? "not known" : `half know after ${median.toFixed(1)} s, all after ${last.toFixed(1)} s`;
  const goal = { atMost: TWO_HEARTBEATS };
  return {
    line: `dead end: ${known}, ${findings} announced${isMissed ? " (missed, as expected)" : ""}: ${title}`,
    figure: isMissed ? undefined : { what: `known to all: ${title}`, measured: last, unit: "s", goal },
  };
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
