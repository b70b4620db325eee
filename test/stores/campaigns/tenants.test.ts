import type { StoreFleet } from "doomloop/fleet";
import { describe, expect, it } from "vitest";
import { engines, isInstalled } from "../servers/server.ts";
import { campaignSize, percentile, publish } from "./campaign.ts";
import { joinCampaign } from "./campaign-fleet.ts";
import type { FloodingOrder, FloodingReport } from "./flooding-process.ts";
import { createLedger, readStore } from "./ledger.ts";
import { startProcess } from "./start-process.ts";
import { timeUntilBack } from "./time-until-back.ts";
import { startTopology } from "./topology.ts";

const flood = campaignSize({ short: 100_000, full: 1_000_000 });
const floodMs = campaignSize({ short: 5000, full: 30_000 });
const processes = 3;
const tenantQuota = 100;
const heartbeatMs = 1000;
/** Fingerprints that a process may still send after the quota is used up: until its next heartbeat, and at its end. */
const mostOfEach = 16 * 4 * 2 + 1000;

/** The median time of a fleet's exchanges. */
async function latencyOf(fleet: StoreFleet): Promise<number> {
  const latencies: number[] = [];
  for (let times = 0; times < 200; times++) {
    await fleet.flush();
    latencies.push(fleet.stats().latencyMs);
  }
  return percentile(latencies, 0.5);
}

describe.each(engines.filter(isInstalled).slice(0, campaignSize({ short: 1, full: 2 })))("a tenant on %s", (engine) => {
  it(`is not touched by ${flood} different calls of another, which are held to its quota`, async () => {
    const topology = await startTopology(engine, "standalone");
    const join = () => joinCampaign(topology, { tenant: "quiet", heartbeatMs: 500 });
    const quiet = await Promise.all([join(), join(), join()]);
    const [one, two, three] = quiet.map(({ fleet }) => fleet) as [StoreFleet, StoreFleet, StoreFleet];
    const floods = Array.from({ length: processes }, (_, at) => {
      const calls = Math.floor(flood / processes);
      const { port } = topology.servers[0]!;
      const order: FloodingOrder = {
        ...{ port, tenant: "flooding", tenantQuota, heartbeatMs },
        ...{ first: at * calls, calls, forMs: floodMs },
      };
      return startProcess("flooding-process.ts", order);
    });
    try {
      await Promise.all(floods.map((process) => process.next()));
      const beforeMs = await latencyOf(three);
      for (const process of floods) process.release();
      const duringMs = await latencyOf(three);
      const ledger = createLedger("quiet");
      const foundMs = await timeUntilBack(ledger, one, two, three);
      const reports = (await Promise.all(floods.map((process) => process.next()))) as FloodingReport[];
      const kept = await readStore(await topology.primaries(), "flooding");
      const lost = reports.reduce((sum, report) => sum + report.lost, 0);
      const ratio = duringMs / beforeMs;
      publish(
        `tenants | ${engine} | ${flood} calls by ${processes} processes in ${floodMs / 1000} s | fingerprints kept ${kept.length}, lost ${lost} | beside it: latency ${ratio.toFixed(1)} times, a dead end heard of after ${(foundMs / 1000).toFixed(1)} s`,
      );

      for (const { notices, reported, delivered, lost: given } of reports) {
        expect(notices).toContain("quota-reached");
        expect(delivered + given).toBe(reported);
      }
      expect(kept.length).toBeLessThanOrEqual(tenantQuota + processes * mostOfEach);
      for (const fleet of [one, two, three]) expect(fleet.stats()).toMatchObject({ lost: 0, faults: 0 });
      expect(ledger.audit(await readStore(await topology.primaries(), "quiet"))).toMatchObject({ overCounts: 0 });
      await Promise.all(floods.map((process) => process.ended()));
    } finally {
      await Promise.all(quiet.map((each) => each.stop()));
      await topology.stop();
    }
  });
});
