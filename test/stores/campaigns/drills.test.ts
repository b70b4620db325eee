import { describe, expect, it } from "vitest";
import { engines, isInstalled } from "../servers/server.ts";
import { until } from "../servers/until.ts";
import { campaignSize, publish } from "./campaign.ts";
import { joinCampaign, TENANT } from "./campaign-fleet.ts";
import { drills } from "./drills.ts";
import { createLedger, readStore } from "./ledger.ts";
import { createSwarm } from "./swarm.ts";
import { timeUntilBack } from "./time-until-back.ts";
import { startTopology, type Topology } from "./topology.ts";

const rate = { stepsPerSecond: 40 };
/** The published figures are measured with the default heartbeat. */
const options = campaignSize({ short: { heartbeatMs: 500 }, full: {} });
/** A guard that waited for the store would take its deadline of a second. A busy machine delays guards without a fleet, too. */
const observeMs = campaignSize({ short: 500, full: 10 });
const chosen = drills.filter(({ isLong = false }) => campaignSize({ short: !isLong, full: true }));
const tried = engines.filter(isInstalled);

/** Each drill on each engine in the full campaign; otherwise on one of them, in turns. */
const cases = chosen.flatMap((drill, at) => {
  const on = campaignSize({ short: [tried[at % tried.length]!], full: tried });
  return on.map((engine) => ({ ...drill, engine }));
});

describe("two processes", () => {
  it.concurrent.each(cases)("survive: $title ($topology, $engine)", async (drill) => {
    const topology = await startTopology(drill.engine, drill.topology, drill.settings);
    const { silenceMs } = drill;
    const [one, two, listening, silent] = await Promise.all([
      joinCampaign(topology, { ...options, silenceMs }),
      joinCampaign(topology, { ...options, silenceMs, clientName: "node-redis" }),
      joinCampaign(topology, { ...options, silenceMs }),
      joinCampaign(topology, { ...options, silenceMs, tenant: "silent" }),
    ]);
    const ledger = createLedger(TENANT);
    const swarms = [createSwarm(one.fleet, ledger, "one"), createSwarm(two.fleet, ledger, "two")];
    const workAll = (forMs: number) => Promise.all(swarms.map((swarm) => swarm.work({ ...rate, forMs })));
    try {
      await setSwitch(topology, "silent", "off");
      await until("the switch is heard of", () => silent.fleet.stats().mode === "off");
      await workAll(500);

      let isOver = false;
      const working = (async () => {
        while (!isOver) await workAll(100);
      })();
      await drill.act(topology);
      const backMs = await timeUntilBack(ledger, one.fleet, two.fleet, listening.fleet);
      isOver = true;
      await working;

      const audit = ledger.audit(await readStore(await topology.primaries(), TENANT));
      const falseStops = swarms.reduce((sum, swarm) => sum + swarm.falseStops, 0);
      const lost = one.fleet.stats().lost + two.fleet.stats().lost;
      const observed = swarms.map((swarm) => swarm.observed());
      const observedMs = Math.max(...observed.map(({ ownMs }) => ownMs));
      publish(
        `| ${drill.title} | ${drill.topology} | ${drill.engine} | ${audit.reported} | ${lost} | ${audit.overCounts} | ${falseStops} | ${(backMs / 1000).toFixed(1)} s | ${observedMs.toFixed(2)} ms |`,
      );

      expect(audit.overCounts).toBe(0);
      if (!drill.isGarbled) expect(audit.falseVerdicts).toBe(0);
      expect(falseStops).toBe(0);
      expect(silent.fleet.stats().mode).toBe("off");
      for (const { ownMs, aloneMs } of observed) expect(ownMs).toBeLessThan(observeMs + aloneMs);
      await setSwitch(topology, "silent", "on");
      await until("the switch is heard of again", () => silent.fleet.stats().mode === "on");
    } finally {
      await Promise.all([one, two, listening, silent].map((each) => each.stop()));
      await topology.stop();
    }
  });
});

async function setSwitch(topology: Topology, tenant: string, mode: string): Promise<void> {
  const key = `dl:{${tenant}}:switch`;
  await (await topology.ownerOf(key)).ask("SET", key, mode);
}
