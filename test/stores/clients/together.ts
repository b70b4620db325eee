import type { RedisClient } from "doomloop/fleet";
import { expect, it } from "vitest";
import type { FleetGlobalFinding } from "../../../packages/doomloop/src/fleet/fleet.ts";
import { fingerprint, report, reports, tell } from "../../contracts/fleet.ts";
import { flushAll, newFleets } from "./fleets.ts";

const MANY = 276;

/** What processes that share a store know together, through any client and on any kind of store. */
export function fleetsTogether(client: () => RedisClient): void {
  it("counts over all processes, and tells one that never made the call", async () => {
    const [one, two, three] = newFleets(3, client(), { calls: 4 });
    tell(one!.join({ worker: "one" }), ...reports(2));
    tell(two!.join({ worker: "two" }), report(0));
    await flushAll(one!, two!, three!);
    expect(three!.join({ worker: "three" }).verdict(fingerprint(0))).toBeUndefined();

    tell(two!.join({ worker: "two" }), report(1));
    await flushAll(two!, three!);
    const verdict = { calls: 4, workers: 2, windowMs: 300_000 };
    expect(three!.join({ worker: "three" }).verdict(fingerprint(0))).toEqual({ ...verdict, counted: "processes" });
    expect(three!.findings()).toMatchObject([{ ...verdict, tool: "fetch", workerNames: [] }]);
  });

  it("tells all processes about a success, and starts to count again", async () => {
    const [one, two, three] = newFleets(3, client(), { calls: 2 });
    const members = [one!, two!].map((fleet, at) => fleet.join({ worker: String(at) }));
    for (const member of members) tell(member, report(0));
    await flushAll(one!, two!, three!);
    expect(three!.findings()).toHaveLength(1);

    tell(three!.join({ worker: "three" }), report(0, { isBarren: false }));
    await flushAll(three!, two!, one!);
    for (const fleet of [one!, two!, three!]) expect(fleet.findings()).toEqual([]);

    for (const member of members) tell(member, report(1));
    await flushAll(one!, two!, three!);
    expect(three!.findings()).toMatchObject([{ calls: 2, workers: 2 }]);
  });

  it("tells a process that joins late everything that is known", async () => {
    const [one, two, late] = newFleets(3, client(), { calls: 2, heartbeatMs: 3_600_000 });
    for (const [at, fleet] of [one!, two!].entries()) {
      const member = fleet.join({ worker: String(at) });
      for (let of = 0; of < MANY; of++) tell(member, report(0, { fingerprint: fingerprint(of) }));
      await fleet.flush();
    }

    // On a busy machine a reply may be late: wait for it, and send again what was not delivered.
    const known = () => flushAll(one!, two!, late!).then(() => late!.findings().length);
    await expect.poll(known, { timeout: 120_000 }).toBe(MANY);
  });

  it("announces a dead end in one of the processes", async () => {
    const announced: FleetGlobalFinding[] = [];
    const fleets = newFleets(4, client(), { calls: 4, onFinding: (finding) => announced.push(finding) });
    for (const id of [0, 1, 2]) {
      for (const [at, fleet] of fleets.entries()) {
        tell(fleet.join({ worker: String(at) }), report(id));
        await fleet.flush();
      }
    }

    expect(announced).toMatchObject([{ tool: "fetch", calls: 4, workers: 4, windowMs: 300_000 }]);
  });

  it("allows a tenth of all runs to be stopped in a window, however often they ask", async () => {
    const fleets = newFleets(3, client());
    // A few more than thirty, because the HyperLogLog may count one or two too few.
    const members = fleets.flatMap((fleet, at) =>
      Array.from({ length: 12 }, (_, run) => fleet.join({ worker: String(at), run: String(run) })),
    );
    for (const member of members) tell(member, report(0, { isBarren: false }));
    await flushAll(...fleets);
    for (let asked = 0; asked < 3; asked++) {
      for (const member of members) member.mayStop?.();
      await flushAll(...fleets);
    }

    expect(members.filter((member) => member.mayStop?.())).toHaveLength(3);
    expect(fleets.map((fleet) => fleet.stats().faults)).toEqual([0, 0, 0]);
  });
}
