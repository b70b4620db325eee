import { setTimeout as wait } from "node:timers/promises";
import type { FleetMember } from "../../packages/doomloop/src/fleet/index.ts";
import type { Server } from "../../test/stores/servers/server.ts";
import { benchFleet, fingerprintOf } from "./bench-fleet.ts";
import type { Figure } from "./figure.ts";
import { ownCpuMs } from "./process-cpu.ts";
import { type ClientName, openClient } from "./store-client.ts";

const EVENTS_PER_SECOND = 1_000;
const SECONDS = 4;
const ROUNDS = 5;
/** What a worker has done after two minutes at this rate: its code is compiled by then, which a process pays for once. */
const WARM_UP_FLUSHES = 2_000;
const EVENTS_A_FLUSH = 50;

/** Calls that a worker makes: half of them are made again, the others are new. */
const REPEATED = 50;

/**
 * What a fleet costs a worker of 1,000 events a second: its reports, its questions, its flushes and its client. What the same
 * loop costs without a fleet is taken off.
 */
export async function workerCost(server: Server, name: ClientName): Promise<Figure> {
  const client = await openClient(name, server.port);
  const nobody: FleetMember = { report: () => {}, verdict: () => undefined };
  const fleet = benchFleet(client.client, { tenant: "cost", deadlineMs: 25 });
  const member = fleet.join({ worker: "worker" });
  const counter = { next: 0 };
  for (let flush = 0; flush < WARM_UP_FLUSHES; flush++) {
    for (const each of [nobody, member]) for (let at = 0; at < EVENTS_A_FLUSH; at++) makeEvent(each, counter);
    await fleet.flush();
  }
  await work(member, counter);
  const extra: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const without = await work(nobody, counter);
    const withFleet = await work(member, counter);
    extra.push(withFleet - without);
  }
  const { lost, delivered, faults } = fleet.stats();
  await fleet.close();
  client.close();
  const share = extra.toSorted((one, other) => one - other)[Math.floor(ROUNDS / 2)]!;
  return {
    what: `${name}: a worker's own processor time at 1,000 events a second`,
    measured: share * 100,
    unit: "%",
    goal: { atMost: 2 },
    detail: `of one core, ${((share * 1e6) / EVENTS_PER_SECOND).toFixed(1)} µs an event; half of the calls new, ${delivered} delivered, ${lost} lost, ${faults} faults`,
  };
}

/** Makes events at an even rate and returns the share of a core that it took. */
async function work(member: FleetMember, counter: { next: number }): Promise<number> {
  const before = ownCpuMs();
  const start = performance.now();
  for (let done = 0; done < EVENTS_PER_SECOND * SECONDS; await wait(5)) {
    const due = Math.min(EVENTS_PER_SECOND * SECONDS, ((performance.now() - start) / 1000) * EVENTS_PER_SECOND);
    for (; done < due; done++) makeEvent(member, counter);
  }
  return (ownCpuMs() - before) / (performance.now() - start);
}

function makeEvent(member: FleetMember, counter: { next: number }): void {
  const at = counter.next++;
  const fingerprint = fingerprintOf(at % 2 === 0 ? at % REPEATED : REPEATED + at);
  member.verdict(fingerprint);
  member.report({ id: String(at), fingerprint, tool: "fetch", isBarren: true });
}
