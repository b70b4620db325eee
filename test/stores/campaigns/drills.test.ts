import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { engines, isInstalled } from "../servers/engine.ts";
import { until } from "../servers/until.ts";
import { joinCampaign, TENANT } from "./campaign-fleet.ts";
import { campaignSize } from "./campaign-size.ts";
import { drills } from "./drills.ts";
import { createLedger } from "./ledger.ts";
import { publish } from "./publish.ts";
import { readStore } from "./read-store.ts";
import { createSwarm } from "./swarm.ts";
import { startTopology } from "./topology.ts";

const stepsPerSecond = 300;
/** How long it may take is published by full campaigns; a build asks that the store comes back at all. */
const recoveryMs = campaignSize({ short: 120_000, full: 5_000 });
const chosen = drills.filter(({ isLong = false }) => campaignSize({ short: !isLong, full: true }));
const tried = engines.filter(isInstalled).slice(0, campaignSize({ short: 1, full: 2 }));

describe.each(tried)("a swarm on %s", (engine) => {
  it.each(chosen)("survives: $title ($topology)", async ({ title, topology: name, settings, act }) => {
    const topology = await startTopology(engine, name, settings);
    const { fleet, stop } = await joinCampaign(topology, { shards: name === "cluster" ? 16 : 1 });
    try {
      const ledger = createLedger();
      const swarm = createSwarm(fleet, ledger);
      await swarm.work({ forMs: 500, stepsPerSecond });

      let isOver = false;
      const gaps = watchGaps(
        () => fleet.stats().delivered,
        () => isOver,
      );
      const working = (async () => {
        while (!isOver) await swarm.work({ forMs: 100, stepsPerSecond });
      })();
      await act(topology);
      const acted = performance.now();
      const { delivered } = fleet.stats();
      const back = until("the store is back", () => fleet.stats().delivered > delivered + 20, {
        withinMs: recoveryMs,
        everyMs: 5,
      });
      await back.catch(() => {});
      const backMs = performance.now() - acted;
      await wait(500);
      isOver = true;
      await working;
      await until("all is delivered or given up", async () => {
        await fleet.flush();
        const now = fleet.stats();
        return now.delivered + now.lost === now.reported;
      });

      const after = fleet.stats();
      const audit = ledger.audit(await readStore(await topology.primaries(), TENANT));
      const gone = after.delivered - audit.stored;
      publish(
        `| ${title} | ${name} | ${engine} | ${audit.reported} | ${after.lost} | ${gone} | ${audit.overCount} | ${swarm.falseStops} | ${((await gaps) / 1000).toFixed(1)} s |`,
      );

      expect(audit.overCount).toBe(0);
      expect(swarm.falseStops).toBe(0);
      expect(backMs).toBeLessThan(recoveryMs);
    } finally {
      await stop();
      await topology.stop();
    }
  });
});

/** The longest time in which a number did not grow. */
async function watchGaps(read: () => number, isOver: () => boolean): Promise<number> {
  let longestMs = 0;
  for (let last = read(), since = performance.now(); !isOver(); await wait(5)) {
    const now = read();
    if (now === last) continue;
    longestMs = Math.max(longestMs, performance.now() - since);
    last = now;
    since = performance.now();
  }
  return longestMs;
}
