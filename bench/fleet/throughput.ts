import { setImmediate as nextTurn } from "node:timers/promises";
import type { Server } from "../../test/stores/servers/server.ts";
import { benchFleet, fingerprintOf } from "./bench-fleet.ts";
import type { Figure } from "./figure.ts";
import { ownCpuMs } from "./process-cpu.ts";
import { serverCpuMs } from "./server-cpu.ts";
import { type ClientName, openClient, type ScriptCall, type StoreClient } from "./store-client.ts";

const REPORTS = 6_000;
const REPORTS_A_TURN = 256;
const AT_ONCE = 64;
const ROUNDS = 31;
const WARM_UP_ROUNDS = 2;

interface Round {
  /** Fingerprints a second, by the clock on the wall. */
  readonly rate: number;
  readonly serverUs: number;
  readonly clientUs: number;
}

/**
 * The same reports three ways: their script calls by hand, one report a call through a fleet, and batched. As with the client, what it
 * takes to start a fleet and to end it is not counted: a process does that once.
 */
export async function throughput(server: Server, name: ClientName): Promise<Figure[]> {
  const client = await openClient(name, server.port);
  const calls = await recordCalls(client);
  const unbatched = await openReporter(client.client, { flushFingerprints: 1 });
  const batched = await openReporter(client.client, {});
  const contestants = { bare: () => replay(client, calls), unbatched: unbatched.reportAll, batched: batched.reportAll };
  const names = Object.keys(contestants) as (keyof typeof contestants)[];
  const rounds = { bare: [] as Round[], unbatched: [] as Round[], batched: [] as Round[] };
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    for (const each of names) {
      await server.ask("FLUSHALL");
      // A fleet that finds its store emptied begins anew, and gives up what is on its way: it finds that out now.
      await unbatched.settle();
      await batched.settle();
      const taken = await take(server, contestants[each]);
      if (round >= 0) rounds[each].push(taken);
    }
  }
  await unbatched.close();
  await batched.close();
  client.close();
  const typical = Object.fromEntries(names.map((each) => [each, median(rounds[each])])) as Record<
    keyof typeof contestants,
    Round
  >;
  return figuresOf(name, typical, rounds);
}

function figuresOf(
  name: ClientName,
  { bare, unbatched, batched }: Record<"bare" | "unbatched" | "batched", Round>,
  rounds: Record<"bare" | "unbatched" | "batched", readonly Round[]>,
): Figure[] {
  const rates = `${rate(unbatched)} against ${rate(bare)}`;
  return [
    {
      what: `${name}: one report a call, against the same script called by hand`,
      measured: ratio(rounds.unbatched, rounds.bare, (round) => round.rate),
      unit: "x",
      goal: { atLeast: 0.9 },
      limit: 0.7,
      detail: `${rates} reports a second, ${AT_ONCE} at once; our process ${unbatched.clientUs.toFixed(1)} µs against ${bare.clientUs.toFixed(1)} µs`,
    },
    {
      what: `${name}: reports in batches, against the same script called by hand`,
      measured: ratio(rounds.batched, rounds.bare, (round) => round.rate),
      unit: "x",
      goal: { atLeast: 1.8 },
      limit: 1.5,
      detail: `${rate(batched)} against ${rate(bare)} fingerprints a second; our process ${batched.clientUs.toFixed(1)} µs each`,
    },
    {
      what: `${name}: the server's time for a fingerprint, batched against one a call`,
      measured: ratio(rounds.batched, rounds.unbatched, (round) => round.serverUs),
      unit: "x",
      goal: { atMost: 0.8 },
      detail: `${batched.serverUs.toFixed(1)} µs against ${unbatched.serverUs.toFixed(1)} µs`,
    },
  ];
}

/** The calls that a fleet makes for the reports, one a call, to be made again by hand. */
async function recordCalls(client: StoreClient): Promise<ScriptCall[]> {
  const calls: ScriptCall[] = [];
  const reporter = await openReporter(client.recording(calls), { flushFingerprints: 1 });
  await reporter.reportAll();
  await reporter.close();
  // The longest ones are control calls, which are few: a count has one key.
  const counts = calls.filter((call) => call.length > 0 && keysOf(call) === 1);
  if (counts.length < REPORTS) throw new Error(`bench: ${REPORTS} calls are required, got ${counts.length}`);
  return counts.slice(-REPORTS);
}

function keysOf(call: ScriptCall): number {
  const [, second] = call;
  return typeof second === "object" ? (second as { keys: unknown[] }).keys.length : Number(second);
}

/** A process with eight workers, which reports calls that nobody made before. */
async function openReporter(client: unknown, options: object) {
  const fleet = benchFleet(client, { ...options, maxInFlight: AT_ONCE });
  const members = Array.from({ length: 8 }, (_, at) => fleet.join({ worker: `worker-${at}` }));
  await fleet.flush();
  let next = 0;
  return {
    async reportAll(): Promise<void> {
      for (const end = next + REPORTS; next < end; next++) {
        members[next % 8]!.report({
          id: String(next),
          fingerprint: fingerprintOf(next),
          tool: "fetch",
          isBarren: true,
        });
        // Workers do not report thousands of calls in one go: what is ready travels meanwhile.
        if (next % REPORTS_A_TURN === 0) await nextTurn();
      }
      await fleet.flush();
      const { delivered } = fleet.stats();
      if (delivered !== next) throw new Error(`bench: ${next} delivered reports are required, got ${delivered}`);
    },
    settle: () => fleet.flush(),
    close: () => fleet.close(),
  };
}

async function replay(client: StoreClient, calls: readonly ScriptCall[]): Promise<void> {
  let next = 0;
  const one = async () => {
    while (next < calls.length) await client.evalSha(calls[next++]!);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
}

async function take(server: Server, work: () => Promise<void>): Promise<Round> {
  const serverBefore = await serverCpuMs(server);
  const ownBefore = ownCpuMs();
  const start = performance.now();
  await work();
  const seconds = (performance.now() - start) / 1000;
  const ownMs = ownCpuMs() - ownBefore;
  const serverMs = (await serverCpuMs(server)) - serverBefore;
  return {
    rate: REPORTS / seconds,
    serverUs: (serverMs * 1000) / REPORTS,
    clientUs: (ownMs * 1000) / REPORTS,
  };
}

/** The median of the rounds' ratios: what disturbed the machine in a round disturbed both. */
function ratio(ours: readonly Round[], theirs: readonly Round[], of: (round: Round) => number): number {
  return middle(ours.map((round, at) => of(round) / of(theirs[at]!)));
}

function median(rounds: readonly Round[]): Round {
  return {
    rate: middle(rounds.map((round) => round.rate)),
    serverUs: middle(rounds.map((round) => round.serverUs)),
    clientUs: middle(rounds.map((round) => round.clientUs)),
  };
}

function middle(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!;
}

function rate(round: Round): string {
  return Math.round(round.rate).toLocaleString("en");
}
