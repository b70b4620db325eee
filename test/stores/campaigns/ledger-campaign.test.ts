import { setTimeout as wait } from "node:timers/promises";
import type { StoreFleet } from "doomloop/fleet";
import { describe, expect, it } from "vitest";
import type { Fault } from "../fault-proxy/fault.ts";
import { engines, isInstalled } from "../servers/server.ts";
import { until } from "../servers/until.ts";
import { campaignSize, createRandom, fingerprintOf, publish } from "./campaign.ts";
import { joinCampaign, TENANT } from "./campaign-fleet.ts";
import { createLedger, readStore } from "./ledger.ts";
import { startTopology } from "./topology.ts";

const events = campaignSize({ short: 100_000, full: 1_000_000 });
const processes = 8;
const workersOfEach = 4;
/** About fifty calls for each fingerprint, because a count is exact up to a hundred. */
const eventsOfPart = 10_000;
const fingerprintsOfPart = 200;
const reportsAtOnce = 5000;
const tried = engines.filter(isInstalled).slice(0, campaignSize({ short: 1, full: 2 }));

/** Each of these ends connections, and clients send commands without a reply again. */
const faults: readonly Fault[] = [
  { kind: "reset" },
  { kind: "half-open", swallowed: "replies" },
  { kind: "close-mid-reply", afterBytes: 5000 },
  { kind: "error-replies", message: "LOADING" },
];

/** Whether all reports have either arrived or been lost, and no fault is pending. */
async function isDrained(fleet: StoreFleet): Promise<boolean> {
  const before = fleet.stats();
  await fleet.flush();
  const { faults: faultsSince, reported, delivered, lost } = fleet.stats();
  return faultsSince === before.faults && delivered + lost === reported;
}

describe.each(tried)("a fleet of %s", (engine) => {
  it(`counts nothing too much in ${events} calls by ${processes} processes, with faults in between`, async () => {
    const topology = await startTopology(engine, "standalone");
    const joined = await Promise.all(
      Array.from({ length: processes }, (_, at) =>
        joinCampaign(topology, { windowMs: 3_600_000, clientName: at % 2 === 0 ? "ioredis" : "node-redis" }),
      ),
    );
    const fleets = joined.map(({ fleet }) => fleet);
    const ledger = createLedger(TENANT);
    const members = fleets.map((fleet, process) =>
      Array.from({ length: workersOfEach }, (_, worker) => {
        const name = `worker ${process}.${worker}`;
        return ledger.keep(`${process}`, name, fleet.join({ worker: name }));
      }),
    );
    const random = createRandom(1);
    const flushAll = () => Promise.all(fleets.map((fleet) => fleet.flush()));
    const disturb = async (fault: Fault) => {
      await topology.setFault(fault);
      await wait(50);
      await topology.setFault({ kind: "refuse" });
      await wait(50);
      await topology.setFault({ kind: "pass" });
    };
    const report = (event: number) => {
      const part = Math.floor(event / eventsOfPart);
      // One in ten is about a page of the previous part.
      const of = random(10) === 0 ? Math.max(0, part - 1) : part;
      const fingerprint = fingerprintOf(of * fingerprintsOfPart + random(fingerprintsOfPart));
      const member = members[random(processes)]![random(workersOfEach)]!;
      const isBarren = random(100) > 0;
      // Some reports are delivered twice.
      for (let times = random(10) === 0 ? 2 : 1; times > 0; times--) {
        member.report({ id: `${event}`, fingerprint, tool: "fetch", isBarren });
      }
      member.verdict(fingerprint);
    };
    try {
      const start = performance.now();
      for (let event = 0; event < events; event++) {
        report(event);
        if (event % reportsAtOnce !== reportsAtOnce - 1) continue;
        const isDisturbed = event % eventsOfPart < reportsAtOnce;
        const fault = faults[Math.floor(event / eventsOfPart) % faults.length]!;
        await Promise.all([flushAll(), isDisturbed ? disturb(fault) : undefined]);
        if (event % eventsOfPart !== eventsOfPart - 1) continue;
        await Promise.all(fleets.map((fleet) => until("all has arrived or is lost", () => isDrained(fleet))));
        ledger.draw();
      }
      const seconds = (performance.now() - start) / 1000;
      const audit = ledger.audit(await readStore(await topology.primaries(), TENANT));
      const lost = fleets.reduce((sum, fleet) => sum + fleet.stats().lost, 0);
      const faultsSeen = fleets.reduce((sum, fleet) => sum + fleet.stats().faults, 0);
      publish(
        `ledger | ${engine} | ${events} calls, ${audit.reported} barren | ${faultsSeen} faults | lost ${lost} | counted ${audit.stored} | counted too much ${audit.overCounts} | false verdicts ${audit.falseVerdicts} | ${seconds.toFixed(0)} s`,
      );

      expect(audit).toMatchObject({ overCounts: 0, falseVerdicts: 0 });
      expect(audit.stored).toBeGreaterThan(audit.reported / 4);
      expect(faultsSeen).toBeGreaterThan(0);
    } finally {
      await Promise.all(joined.map((each) => each.stop()));
      await topology.stop();
    }
  });
});
