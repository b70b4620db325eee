import fc from "fast-check";
import { expect, it } from "vitest";
import { fingerprint, manualClock, report } from "./fleet-reports.ts";
import type { CreateFleet } from "./fleet-swarm.ts";

const delivery = fc.record({
  worker: fc.nat(2),
  id: fc.nat(4),
  of: fc.nat(1),
  isBarren: fc.boolean(),
  waitMs: fc.constantFrom(0, 0, 0, 40_000, 400_000, -50_000),
});

/** What holds whatever is delivered, in which order and how often. */
export function fleetProperties(create: CreateFleet, runs: number): void {
  it("never counts more calls or workers than there were, whatever is delivered in which order and how often", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(delivery, { maxLength: 24 }), async (deliveries) => {
        const clock = manualClock();
        const fleet = await create({ calls: 2, now: clock.now });
        const members = [0, 1, 2].map((worker) => fleet.join({ worker: String(worker) }));
        for (const { worker, id, of, isBarren, waitMs } of deliveries) {
          clock.at += waitMs;
          members[worker]!.report(report(id, { fingerprint: fingerprint(of), isBarren }));
        }
        await fleet.flush();
        for (const of of [0, 1]) {
          const { calls = 0, workers = 0 } = members[0]!.verdict(fingerprint(of)) ?? {};
          const told = deliveries.filter((each) => each.of === of && each.isBarren);
          expect(calls).toBeLessThanOrEqual(new Set(told.map(({ worker, id }) => `${worker} ${id}`)).size);
          expect(workers).toBeLessThanOrEqual(new Set(told.map(({ worker }) => worker)).size);
        }
      }),
      { numRuns: runs },
    );
  });

  it("counts the same in every order of delivery where nothing got a worker further", async () => {
    const barren = fc.array(delivery, { minLength: 2, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(barren, fc.infiniteStream(fc.nat()), async (deliveries, order) => {
        const fleet = await create({ calls: 2, now: manualClock().now });
        const shuffled = deliveries
          .map((each) => ({ ...each, place: order.next().value }))
          .toSorted((one, other) => one.place - other.place);
        for (const { worker, id } of [...deliveries, ...shuffled]) {
          fleet.join({ worker: String(worker) }).report(report(id));
        }
        await fleet.flush();
        const calls = new Set(deliveries.map(({ worker, id }) => `${worker} ${id}`)).size;
        const workers = new Set(deliveries.map(({ worker }) => worker)).size;
        const expected = workers < 2 ? undefined : { calls, workers, windowMs: 300_000 };
        expect(fleet.join({ worker: "listener" }).verdict(fingerprint(0))).toEqual(expected);
      }),
      { numRuns: runs },
    );
  });
}
