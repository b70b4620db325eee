import type { RedisFleet } from "doomloop/fleet";
import { describe, expect, it } from "vitest";
import { engines, isInstalled } from "../servers/engine.ts";
import { joinCampaign, TENANT } from "./campaign-fleet.ts";
import { campaignSize } from "./campaign-size.ts";
import { createLedger } from "./ledger.ts";
import { publish } from "./publish.ts";
import { createRandom } from "./random.ts";
import { readStore } from "./read-store.ts";
import { startTopology } from "./topology.ts";

const events = campaignSize({ short: 100_000, full: 1_000_000 });
const workers = 64;
const callsPerFingerprint = 50;
const reportsAtOnce = 400;

/**
 * More than workers ever ask for is asked here: to be late is no fault, and nothing is given up. What is counted is in question,
 * not what is made of it: no count comes to a dead end.
 */
const patience = { windowMs: 3_600_000, deadlineMs: 60_000, maxDelayMs: 3_600_000, calls: 2 * callsPerFingerprint };

/** A fingerprint of its own for each number. */
function fingerprintOf(number: number): string {
  return String.fromCharCode(0x3400 + (number & 0x7fff), 0x3400 + (number >>> 15)).padEnd(9, "\u3400");
}

/** The events as they are delivered: each one to three times, in an order of chance. */
function deliveriesOf(count: number, random: (limit: number) => number): Uint32Array {
  const list: number[] = [];
  for (let event = 0; event < count; event++) for (let times = 1 + random(3); times > 0; times--) list.push(event);
  for (let at = list.length - 1; at > 0; at--) {
    const other = random(at + 1);
    [list[at], list[other]] = [list[other]!, list[at]!];
  }
  return Uint32Array.from(list);
}

describe.each(engines.filter(isInstalled))("a fleet on %s", (engine) => {
  const title = `counts ${events} calls once, each delivered one to three times, shuffled over ${workers} workers`;
  it(title, async () => {
    const topology = await startTopology(engine, "standalone");
    const joined = await Promise.all(
      Array.from({ length: workers }, () => joinCampaign(topology, { ...patience, isDirect: true })),
    );
    const fleets = joined.map(({ fleet }) => fleet);
    const drain = async (fleet: RedisFleet) => {
      const isDone = () => {
        const { reported, delivered, lost } = fleet.stats();
        return delivered + lost === reported;
      };
      while (!isDone()) await fleet.flush();
    };
    const drainAll = () => Promise.all(fleets.map(drain));
    const members = fleets.map((fleet) =>
      Array.from({ length: workers }, (_, at) => fleet.join({ worker: `worker-${at}` })),
    );
    try {
      const ledger = createLedger();
      const random = createRandom(1);
      const deliveries = deliveriesOf(events, random);
      const start = performance.now();
      for (const [at, event] of deliveries.entries()) {
        const worker = event % workers;
        const fingerprint = fingerprintOf(Math.floor(event / callsPerFingerprint));
        ledger.note(`worker-${worker}`, String(event), fingerprint);
        // Any process may deliver it: an id belongs to its worker, not to the way it takes.
        members[random(workers)]![worker]!.report({ id: String(event), fingerprint, tool: "fetch", isBarren: true });
        if (at % (reportsAtOnce * workers) === 0) await drainAll();
      }
      await drainAll();
      const seconds = (performance.now() - start) / 1000;
      const audit = ledger.audit(await readStore(await topology.primaries(), TENANT));
      const lost = fleets.reduce((sum, fleet) => sum + fleet.stats().lost, 0);
      publish(
        `correct | ${engine} | ${events} events, ${deliveries.length} deliveries | ${seconds.toFixed(1)} s | stored ${audit.stored}, over-count ${audit.overCount}, lost ${lost}`,
      );

      expect(audit).toEqual({ reported: events, stored: events, overCount: 0 });
    } finally {
      await Promise.all(joined.map((each) => each.stop()));
      await topology.stop();
    }
  });
});
