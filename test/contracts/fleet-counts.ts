import { expect, it } from "vitest";
import { fingerprint, report, reports, tell } from "./fleet-reports.ts";
import type { CreateSwarm } from "./fleet-swarm.ts";

/** What counts, and how often. */
export function fleetCounts(swarm: CreateSwarm): void {
  it("finds a dead end at ten calls by two workers, and not before", async () => {
    const { one, two, verdict } = await swarm();
    tell(one, ...reports(5));
    tell(two, ...reports(4));
    expect(await verdict()).toBeUndefined();

    tell(two, report(4));
    expect(await verdict()).toEqual({ calls: 10, workers: 2, windowMs: 300_000 });
  });

  it("takes both thresholds and the window from its options", async () => {
    const { one, two, fleet, verdict } = await swarm({ calls: 3, workers: 3, windowMs: 60_000 });
    tell(one, ...reports(3));
    tell(two, ...reports(3));
    expect(await verdict()).toBeUndefined();

    tell(fleet.join({ worker: "three" }), report(0));
    expect(await verdict()).toEqual({ calls: 7, workers: 3, windowMs: 60_000 });
  });

  it("leaves the calls of a single worker to its own guard, however many", async () => {
    const { one, verdict } = await swarm();
    tell(one, ...reports(50));

    expect(await verdict()).toBeUndefined();
  });

  it("counts each fingerprint by itself", async () => {
    const { one, two, verdict } = await swarm({ calls: 4 });
    tell(one, ...reports(2), ...reports(1, 2, { fingerprint: fingerprint(1) }));
    tell(two, ...reports(2), ...reports(1, 2, { fingerprint: fingerprint(1) }));

    expect(await verdict(0)).toMatchObject({ calls: 4 });
    expect(await verdict(1)).toBeUndefined();
  });

  it("counts a report that is delivered again once", async () => {
    const { one, two, fleet, clock, verdict } = await swarm({ calls: 4 });
    tell(one, report(0), report(0), report(1));
    clock.at += 60_000;
    tell(fleet.join({ worker: "one" }), report(0), report(1));
    tell(two, report(0), report(0));
    expect(await verdict()).toBeUndefined();

    tell(two, report(1));
    expect(await verdict()).toMatchObject({ calls: 4, workers: 2 });
  });

  it("counts two runs of a worker as two runs and one worker", async () => {
    const { one, fleet, verdict } = await swarm({ calls: 3 });
    tell(fleet.join({ worker: "two", run: "a" }), report(0));
    tell(fleet.join({ worker: "two", run: "b" }), report(0));
    tell(one, report(0));

    expect(await verdict()).toMatchObject({ calls: 3, workers: 2 });
  });

  it("tells worker, run and id apart where they would run together", async () => {
    const { fleet, verdict } = await swarm({ calls: 3 });
    tell(fleet.join({ worker: "a", run: "bc" }), report(0, { id: "d" }));
    tell(fleet.join({ worker: "ab", run: "c" }), report(0, { id: "d" }));
    tell(fleet.join({ worker: "a", run: "b" }), report(0, { id: "cd" }));

    expect(await verdict()).toMatchObject({ calls: 3, workers: 2 });
  });

  it("starts over when a call of that fingerprint got a worker further", async () => {
    const { one, two, verdict } = await swarm({ calls: 4 });
    tell(one, ...reports(3));
    tell(two, ...reports(3), report(3, { isBarren: false }));
    expect(await verdict()).toBeUndefined();

    tell(one, ...reports(2, 4));
    tell(two, report(4));
    expect(await verdict()).toBeUndefined();

    tell(two, report(5));
    expect(await verdict()).toMatchObject({ calls: 4 });
  });

  it("is not moved by what got a worker further elsewhere", async () => {
    const { one, two, verdict } = await swarm({ calls: 2 });
    tell(one, report(0), report(1, { fingerprint: fingerprint(1), isBarren: false }));
    tell(two, report(0));

    expect(await verdict()).toMatchObject({ calls: 2 });
  });

  it("does not count again what is delivered again after a success", async () => {
    const { one, two, verdict } = await swarm({ calls: 3 });
    tell(one, ...reports(3));
    tell(two, report(0), report(1, { isBarren: false }));
    tell(one, ...reports(3));
    tell(two, report(2));

    expect(await verdict()).toBeUndefined();
  });

  it("counts every call whatever came of it if asked to", async () => {
    const { one, two, verdict } = await swarm({ calls: 4, countAll: true });
    tell(one, report(0), report(1, { isBarren: false }));
    tell(two, report(0, { isBarren: false }), report(1));

    expect(await verdict()).toMatchObject({ calls: 4, workers: 2 });
  });
}
