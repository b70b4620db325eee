import { createGuard, type Decision } from "doomloop";
import { createMemoryFleet, type Fleet } from "doomloop/fleet";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call, failure, user } from "../../builders.ts";
import { engines, isInstalled } from "../servers/server.ts";
import { until } from "../servers/until.ts";
import { publish } from "./campaign.ts";
import { joinCampaign } from "./campaign-fleet.ts";
import { startTopology, type Topology } from "./topology.ts";

/** All workers call the same page once in each round. Their users speak in between, so no guard finds a loop by itself. */
function createWorkers(fleet: Fleet, count: number) {
  const guards = Array.from({ length: count }, (_, at) =>
    createGuard({ fleet: fleet.join({ worker: `worker ${at}` }) }),
  );
  return {
    round: (): Decision[] =>
      guards.map((guard) => {
        guard.observe(user());
        const decision = guard.observe(call("fetch", { url: "https://docs.example/v2" }));
        guard.observe(failure("404"));
        return decision;
      }),
  };
}

describe.each(engines.filter(isInstalled).slice(0, 1))("a swarm on %s", (engine) => {
  let topology: Topology;
  beforeAll(async () => {
    topology = await startTopology(engine, "standalone");
  });
  afterAll(() => topology.stop());

  it.each([1, 2, 50, 119, 1000, 10_000])(
    "of %i workers in one process gets the same verdicts as a memory fleet",
    async (count) => {
      const { fleet, stop } = await joinCampaign(topology, { tenant: `workers-${count}` });
      const memory = createMemoryFleet();
      const [here, there] = [createWorkers(fleet, count), createWorkers(memory, count)];
      const told = new Set<number>();
      // Twelve calls of each worker, or two if there are many.
      const rounds = Math.max(2, Math.ceil(12 / count));
      for (let round = 0; round < rounds; round++) {
        const decisions = here.round();
        expect(decisions).toEqual(there.round());
        for (const [at, { action }] of decisions.entries()) if (action === "nudge") told.add(at);
        await fleet.flush();
      }
      const [finding] = fleet.findings();
      publish(
        `swarm | ${count} workers in one process | found ${finding !== undefined} | told ${told.size} | calls ${finding?.calls ?? 0}, workers ${finding?.workers ?? 0}`,
      );

      const { fingerprint: _, ...facts } = finding ?? { fingerprint: "" };
      const { fingerprint: __, ...expected } = memory.findings()[0] ?? { fingerprint: "" };
      expect(facts).toEqual(expected);
      const { reported, delivered, lost } = fleet.stats();
      expect(delivered + lost).toBe(reported);
      expect(told.size).toBe(count === 1 ? 0 : count);
      await stop();
    },
  );

  it.each([2, 10, 119])(
    "of %i processes, whose workers share a name, finds its dead end in all of them",
    async (count) => {
      const processes = await Promise.all(
        Array.from({ length: count }, () => joinCampaign(topology, { tenant: `processes-${count}`, heartbeatMs: 500 })),
      );
      const start = performance.now();
      const workers = processes.map(({ fleet }) => createWorkers(fleet, 1));
      for (let calls = 0; calls < 20; calls += count) for (const worker of workers) worker.round();
      const found = () => processes.map(({ fleet }) => fleet.findings()[0]).filter((finding) => finding !== undefined);
      await until("all have found it", () => found().length === count);
      publish(
        `swarm | ${count} processes | all have found it after ${((performance.now() - start) / 1000).toFixed(1)} s`,
      );

      for (const { calls, workers: witnesses } of found()) {
        expect(calls).toBeLessThanOrEqual(Math.max(count, 20));
        expect(witnesses).toBeLessThanOrEqual(count);
      }
      for (const worker of workers)
        expect(worker.round()).toMatchObject([{ action: "nudge", finding: { kind: "fleet" } }]);
      await Promise.all(processes.map(({ stop }) => stop()));
    },
  );
});
