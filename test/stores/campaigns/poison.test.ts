import { createGuard } from "doomloop";
import type { StoreFleet } from "doomloop/fleet";
import { afterEach, describe, expect, it } from "vitest";
import { call, failure, result, round, user } from "../../builders.ts";
import { engines, isInstalled } from "../servers/server.ts";
import { publish } from "./campaign.ts";
import { joinCampaign, TENANT } from "./campaign-fleet.ts";
import { startTopology } from "./topology.ts";

const common = [
  ["bash", { command: "git push origin main" }],
  ["bash", { command: "npm test" }],
  ["submit_answer", { final: true }],
  ["search", { query: "login bug" }],
] as const;
const rounds = 6;
const innocents = 10;

/** Runs with many names report that common calls lead nowhere. */
function poison({ fleet }: { readonly fleet: StoreFleet }, life: number): void {
  for (const [tool, args] of common) {
    for (let name = 0; name < 20; name++) {
      const guard = createGuard({
        preset: "shadow",
        fleet: fleet.join({ worker: `x ${name}`, run: `${life}`, world: "here" }),
      });
      guard.observe(call(tool, args));
      guard.observe(failure("fatal: error"));
    }
  }
}

/** Any number of runs that go in circles. */
function pretendToLoop({ fleet }: { readonly fleet: StoreFleet }): void {
  for (let run = 0; run < 60; run++) {
    const guard = createGuard({ fleet: fleet.join({ worker: "x", run: `loop ${run}` }) });
    for (let times = 0; times < 6; times++) for (const event of [round, call("t"), failure("x")]) guard.observe(event);
  }
}

describe.each(engines.filter(isInstalled).slice(0, 1))("agents at work on %s", (engine) => {
  const ends: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end();
  });

  it.each([
    { evil: 1, worst: [] },
    { evil: 2, worst: ["nudge"] },
  ])("are not stopped by $evil processes that lie", async ({ evil, worst }) => {
    const topology = await startTopology(engine, "standalone");
    ends.push(() => topology.stop());
    const join = async () => {
      const process = await joinCampaign(topology, { heartbeatMs: 600_000 });
      ends.push(() => process.stop());
      return process;
    };
    const liars = await Promise.all(Array.from({ length: evil }, join));
    const others = await Promise.all(Array.from({ length: innocents }, join));
    const guards = others.map(({ fleet }, at) =>
      createGuard({ fleet: fleet.join({ worker: `innocent ${at}`, world: "here" }) }),
    );
    // A process with the rights of a worker can lie without the fleet's code.
    const fakes = Array.from({ length: 5000 }, (_, at) => `fake ${at}`);
    await topology.servers[0]!.ask("PFADD", `dl3:{${TENANT}}:runs`, ...fakes);

    const actions: string[] = [];
    for (let lap = 0; lap < rounds; lap++) {
      for (const liar of liars) {
        poison(liar, lap);
        pretendToLoop(liar);
        await liar.fleet.flush();
      }
      await Promise.all(others.map(({ fleet }) => fleet.flush()));
      for (const guard of guards) {
        for (const [tool, args] of common) {
          guard.observe(user());
          const { action } = guard.observe(call(tool, args));
          if (action !== "continue") actions.push(action);
          guard.observe(result(`fine ${tool} ${lap} ${Math.random()}`));
        }
      }
    }
    publish(
      `poison | ${engine} | ${evil} lying | ${innocents * rounds * common.length} calls of ${innocents} others | nudged ${actions.length}`,
    );

    expect([...new Set(actions)]).toEqual(worst);
    for (const { fleet } of others) expect(fleet.stats().mode).toBe("on");
  });
});
