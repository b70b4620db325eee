import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import type { FleetMember, StoreFleet } from "../../../packages/doomloop/src/fleet/index.ts";
import { benchFleet, fingerprintOf, openClients, type StoreClient } from "../bench-fleet.ts";
import { ownTimeMs } from "../server-costs.ts";
import type { LoadCounts, LoadRequest, Pages } from "./start-load.ts";

/** Part of the load: many fleets in one process. Each has its own connection, as a process of its own would. */

interface Agent {
  readonly fleet: StoreFleet;
  readonly member: FleetMember;
  /** The page that it calls again and again; undefined if it makes progress. */
  readonly page: number | undefined;
  readonly number: number;
  steps: number;
  /** Answers in time at the time of the mark. */
  marked: number;
  wasAway: boolean;
  isBack: boolean;
}

const STEP_MS = 2000;
const SLICES = 100;
const LOOK_MS = 50;
const delay = monitorEventLoopDelay({ resolution: 5 });
const agents: Agent[] = [];
let clients: StoreClient[] = [];
let lastBackAt = 0;

async function join({ first, withinMs, pages }: Extract<LoadRequest, { kind: "join" }>): Promise<void> {
  const start = performance.now();
  for (const [at, { client }] of clients.entries()) {
    const number = first + at;
    const fleet = benchFleet(number, client, {
      onNotice({ kind }) {
        if (kind === "store-away") agents[at]!.wasAway = true;
      },
    });
    const member = fleet.join({ worker: `agent ${number}`, run: "1" });
    const page = pageOf(number, pages);
    agents.push({ fleet, member, page, number, steps: 0, marked: 0, wasAway: false, isBack: false });
    const aheadMs = ((at + 1) / clients.length) * withinMs - (performance.now() - start);
    if (aheadMs > 5) await wait(aheadMs);
  }
}

function pageOf(number: number, { oneOf, isShared }: Pages): number | undefined {
  if (oneOf === 0 || number % oneOf !== 0) return undefined;
  return isShared ? 0 : number;
}

/** A call of one agent. Most bring something new. */
function step(agent: Agent): void {
  const { member, page, number } = agent;
  agent.steps++;
  const fingerprint = fingerprintOf(page ?? 100_000 + ((number * 1000 + agent.steps) % 2 ** 29));
  member.verdict(fingerprint);
  member.report({ id: String(agent.steps), fingerprint, tool: "fetch_page", isBarren: page !== undefined });
}

function stepSlice(slice: number): void {
  for (let at = slice; at < agents.length; at += SLICES) step(agents[at]!);
  setTimeout(() => stepSlice((slice + 1) % SLICES), STEP_MS / SLICES);
}

function answersOf({ fleet }: Agent): number {
  const { exchanges, faults } = fleet.stats();
  return exchanges - faults;
}

function look(): void {
  for (const agent of agents) {
    if (agent.isBack) continue;
    const { store, queued } = agent.fleet.stats();
    if (store !== "connected" || queued > 0 || answersOf(agent) <= agent.marked) continue;
    agent.isBack = true;
    lastBackAt = Date.now();
  }
}

function count(): LoadCounts {
  const all = agents.map(({ fleet }) => fleet.stats());
  const sum = (of: "reported" | "delivered" | "lost" | "timeouts") => all.reduce((total, each) => total + each[of], 0);
  const counts = {
    ...{ fleets: agents.length, connected: all.filter(({ store }) => store === "connected").length },
    ...{
      away: all.filter(({ store }) => store === "away").length,
      wereAway: agents.filter((each) => each.wasAway).length,
    },
    ...{ back: agents.filter(({ isBack }) => isBack).length, lastBackAt, reported: sum("reported") },
    ...{ delivered: sum("delivered"), lost: sum("lost"), timeouts: sum("timeouts") },
    knowing: agents.filter(({ fleet }) => fleet.findings().length > 0).length,
    ...{ maxDelayMs: delay.max / 1e6, ownMs: ownTimeMs() },
  };
  delay.reset();
  return counts;
}

async function answer(request: LoadRequest): Promise<void> {
  if (request.kind === "open") clients = await openClients(request.client, request.address, request.count);
  if (request.kind === "join") await join(request);
  if (request.kind === "mark") {
    for (const agent of agents) {
      Object.assign(agent, { marked: answersOf(agent), wasAway: agent.fleet.stats().store === "away", isBack: false });
    }
  }
  process.send?.(count());
}

delay.enable();
stepSlice(0);
setInterval(look, LOOK_MS);
process.on("message", (request: LoadRequest) => void answer(request));
process.on("disconnect", () => process.exit());
