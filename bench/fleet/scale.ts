import type { UnitCosts } from "./unit-costs.ts";

const AGENTS = 1_000_000;
const CALLS_PER_SECOND = 0.5;
const PULSES_PER_SECOND = 1 / 0.875;
/** Of a core: what is left is for bursts, and for a replica's share when one is lost. */
const BUSY_SHARE = 0.5;
const WINDOW_SECONDS = 300;
/** Of the calls in a window, those that no other call is like. */
const DISTINCT_SHARE = 0.6;

interface Layout {
  readonly name: string;
  /** Agents that share a process, and so a connection and a batch. */
  readonly agentsPerProcess: number;
  /** Fingerprints of one shard that travel together. */
  readonly batch: number;
}

const layouts: readonly Layout[] = [
  { name: "one agent a process, each report alone", agentsPerProcess: 1, batch: 1 },
  { name: "100 agents a process, 4 together", agentsPerProcess: 100, batch: 4 },
  { name: "1,000 agents a process, 32 together", agentsPerProcess: 1_000, batch: 32 },
  { name: "10,000 agents a process, 256 together", agentsPerProcess: 10_000, batch: 256 },
];

/** A million agents at a call every two seconds, reckoned from what one thing costs here. */
export function scaleTable({ fingerprint, pulse, liveBytes }: UnitCosts): string {
  const events = AGENTS * CALLS_PER_SECOND;
  const live = events * WINDOW_SECONDS * DISTINCT_SHARE;
  const rows = layouts.map(({ name, agentsPerProcess, batch }) => {
    const cost = fingerprint.get(batch)!;
    const processes = AGENTS / agentsPerProcess;
    const pulses = processes * PULSES_PER_SECOND;
    const countCores = (events * cost.serverUs) / 1e6;
    const pulseCores = (pulses * pulse.serverUs) / 1e6;
    const primaries = Math.ceil(countCores / BUSY_SHARE);
    // As many reports as the primaries have shards, one each, times the batch: so long must a process collect them.
    const collectMs = batch === 1 ? 0 : ((primaries * batch) / (agentsPerProcess * CALLS_PER_SECOND)) * 1000;
    const megabytes = (events * cost.wireBytes + pulses * pulse.wireBytes) / 1e6;
    return `| ${name} | ${processes.toLocaleString("en")} | ${Math.round(collectMs).toLocaleString("en")} ms | ${countCores.toFixed(1)} | ${primaries} | ${pulseCores.toFixed(2)} | ${megabytes.toFixed(0)} |`;
  });
  const costs = [...fingerprint].map(
    ([batch, { serverUs, wireBytes }]) =>
      `| a fingerprint, ${batch} in a call | ${serverUs.toFixed(1)} µs | ${wireBytes.toFixed(0)} |`,
  );
  return [
    "| what | the server's time | bytes both ways |",
    "|---|--:|--:|",
    ...costs,
    `| a pulse without news | ${pulse.serverUs.toFixed(1)} µs | ${pulse.wireBytes.toFixed(0)} |`,
    "",
    "| layout | processes | collected for | cores for counts | primaries, half busy | cores for pulses | MB a second |",
    "|---|--:|--:|--:|--:|--:|--:|",
    ...rows,
    "",
    `Live fingerprints: ${(live / 1e6).toFixed(0)} million of ${liveBytes.toFixed(0)} bytes, ${((live * liveBytes) / 1e9).toFixed(0)} GB.`,
  ].join("\n");
}
