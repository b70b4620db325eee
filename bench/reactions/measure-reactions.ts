import { openTrace, readTrace } from "../../packages/doomloop/src/transcripts/trace/read-trace.ts";
import { expectationOf } from "../quality/everyday/expectation.ts";
import { type Half, halfOf } from "../quality/halves.ts";
import type { CreateGuard, GuardChoice } from "../quality/load-guard.ts";
import { askWorkers } from "../quality/worker-pool.ts";
import { type HonestCost, liveHonestly, REACTIONS, type Reaction } from "./honest-agent.ts";
import { liveStuck, STUCK_WAYS, type StuckEnd, type StuckWay } from "./stuck-agent.ts";

/** An honest run, and what each reaction costs in it. */
export interface HonestRun {
  readonly run: string;
  readonly half: Half;
  readonly costs: Readonly<Record<Reaction, HonestCost>>;
}

/** A loop that goes on, and what is done about each way to go on. */
export interface StuckRun {
  readonly run: string;
  readonly half: Half;
  readonly ends: Readonly<Record<StuckWay, StuckEnd>>;
}

export interface Reactions {
  readonly honest: readonly HonestRun[];
  readonly stuck: readonly StuckRun[];
}

/** Replays all everyday runs of some files by agents that react, and by agents that don't. */
export async function measureReactions(paths: readonly string[], guard: GuardChoice = {}): Promise<Reactions> {
  const script = new URL("./reactions-worker.ts", import.meta.url);
  const measured = await askWorkers<string, Reactions>(script, guard, paths);
  return { honest: measured.flatMap(({ honest }) => honest), stuck: measured.flatMap(({ stuck }) => stuck) };
}

/** The same for one file, on this thread. */
export async function reactionsIn(path: string, createGuard: CreateGuard): Promise<Reactions> {
  const honest: HonestRun[] = [];
  const stuck: StuckRun[] = [];
  for await (const trace of readTrace(openTrace(path))) {
    const expectation = expectationOf(trace);
    const { run, events } = trace;
    const half = halfOf(expectation.class);
    if (expectation.expect === "spoken")
      stuck.push({ run, half, ends: byName(STUCK_WAYS, (way) => liveStuck(events, expectation, way, createGuard)) });
    else
      honest.push({ run, half, costs: byName(REACTIONS, (reaction) => liveHonestly(events, reaction, createGuard)) });
  }
  return { honest, stuck };
}

function byName<Name extends string, Value>(names: readonly Name[], make: (name: Name) => Value): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, Value>;
}
