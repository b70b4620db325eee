import { createGuard, type GuardOptions } from "doomloop";
import type { RedisFleetOptions } from "doomloop/fleet";
import { describe, expect, it } from "vitest";
import { call, failure, result, round } from "../../builders.ts";
import { engines, isInstalled } from "../servers/server.ts";
import { until } from "../servers/until.ts";
import { publish } from "./campaign.ts";
import { joinCampaign } from "./campaign-fleet.ts";
import { startTopology } from "./topology.ts";

const runs = 100;
const laps = 20;
/** The share of runs that may be stopped in a window, by default. */
const budget = 10;

interface Case {
  readonly store: "alive" | "dead";
  readonly stopsWhenAway: NonNullable<RedisFleetOptions["stopsWhenAway"]>;
  /** The number of runs for which the tool is down. */
  readonly struck: number;
  readonly least: number;
  readonly most: number;
}

const cases: readonly Case[] = [
  { store: "alive", stopsWhenAway: "process", struck: 40, least: 1, most: budget },
  { store: "alive", stopsWhenAway: "process", struck: 100, least: 0, most: budget },
  { store: "dead", stopsWhenAway: "process", struck: 40, least: 1, most: budget },
  { store: "dead", stopsWhenAway: "process", struck: 100, least: 0, most: budget },
  { store: "dead", stopsWhenAway: "none", struck: 40, least: 0, most: 0 },
  { store: "dead", stopsWhenAway: "none", struck: 100, least: 0, most: 0 },
  { store: "dead", stopsWhenAway: "alone", struck: 40, least: 40, most: 40 },
];

/** By default, an agent has patience with a service that is down. With these options, the run is soon stopped. */
const STRICT: GuardOptions = { levels: { told: 3, refused: 5, ended: 6 }, patienceMs: 0 };

describe.each(engines.filter(isInstalled).slice(0, 1))("a fleet on %s", (engine) => {
  it.concurrent.each(cases)(
    "stops $least to $most of 100 runs whose tool is down for $struck, store $store, $stopsWhenAway",
    async ({ store, stopsWhenAway, struck, least, most }) => {
      const topology = await startTopology(engine, "standalone");
      const { fleet, stop } = await joinCampaign(topology, { heartbeatMs: 100, stopsWhenAway });
      const guards = Array.from({ length: runs }, (_, at) =>
        createGuard({ ...STRICT, fleet: fleet.join({ worker: `w ${at}` }) }),
      );
      for (const [at, guard] of guards.entries()) {
        for (const event of [round, call("read", { path: at }), result(`text ${at}`)]) guard.observe(event);
      }
      await until("the runs are known", () => fleet.stats().runs.fleet > 0.9 * runs);
      if (store === "dead") {
        await topology.servers[0]!.kill();
        await until("the store is away", () => fleet.stats().store === "away");
      }
      const stopped = new Set<number>();
      for (let lap = 0; lap < laps; lap++) {
        for (const [at, guard] of guards.slice(0, struck).entries()) {
          if (stopped.has(at)) continue;
          guard.observe(round);
          const { action } = guard.observe(call("api", { query: at }));
          const after = action === "block" || action === "stop" ? action : guard.observe(failure("503")).action;
          if (after === "stop") stopped.add(at);
        }
        if (store === "alive") await fleet.flush();
      }
      publish(
        `brakes | ${engine} | store ${store}, ${stopsWhenAway} | tool down for ${struck} of ${runs} runs | stopped ${stopped.size} | mode ${fleet.stats().mode}`,
      );

      expect(stopped.size).toBeGreaterThanOrEqual(least);
      expect(stopped.size).toBeLessThanOrEqual(most);
      await stop();
      await topology.stop();
    },
  );
});
