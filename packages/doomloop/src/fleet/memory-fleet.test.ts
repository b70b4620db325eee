import { isDoomloopError } from "doomloop";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fingerprint, fleetContract, manualClock, report, reports, tell } from "../../../../test/contracts/fleet.ts";
import { propertyRuns } from "../../../../test/property-runs.ts";
import type { FleetOptions } from "./fleet.ts";
import { createMemoryFleet, type MemoryFleet } from "./memory-fleet.ts";

type MemoryFleetSnapshot = ReturnType<MemoryFleet["toJSON"]>;

fleetContract("createMemoryFleet", createMemoryFleet);

const dead = fingerprint(0);
/** Different for each of many numbers. */
const wide = (number: number): string =>
  String.fromCharCode(0x3500 + (number % 1_000), 0x3500 + Math.floor(number / 1_000))
    .repeat(5)
    .slice(1);

function swarm(options: FleetOptions = {}) {
  const clock = manualClock();
  const fleet = createMemoryFleet({ now: clock.now, calls: 2, ...options });
  return { clock, fleet, one: fleet.join({ worker: "one" }), two: fleet.join({ worker: "two" }) };
}

/** Through JSON and back, like a snapshot that is saved. */
function stored(fleet: MemoryFleet): MemoryFleetSnapshot {
  return JSON.parse(JSON.stringify(fleet)) as MemoryFleetSnapshot;
}

describe("createMemoryFleet", () => {
  it.each<FleetOptions>([
    { calls: 1 },
    { calls: 2.5 },
    { workers: 1 },
    { calls: 5, workers: 6 },
    { windowMs: 0 },
    { windowMs: Number.NaN },
    { calls: 257 },
    { now: 5 as never },
  ])("refuses %o", (options) => {
    expect(() => createMemoryFleet(options)).toThrow(expect.objectContaining({ code: "invalid-option" }));
  });

  it("slides its window: older calls drop out, younger ones stay", () => {
    const { clock, fleet, one, two } = swarm({ windowMs: 100_000 });
    tell(one, ...reports(3));
    clock.at += 50_000;
    tell(two, ...reports(2));
    tell(fleet.join({ worker: "three" }), ...reports(2));
    expect(one.verdict(dead)).toMatchObject({ calls: 7, workers: 3 });

    clock.at += 50_000;
    expect(one.verdict(dead)).toMatchObject({ calls: 4, workers: 2 });
    expect(fleet.findings()[0]?.workerNames).toEqual(["two", "three"]);
  });

  it("ignores a reading of the clock that is not a number", () => {
    const { clock, one, two } = swarm();
    tell(one, report(0));
    clock.at = Number.NaN;
    tell(two, report(0));

    expect(one.verdict(dead)).toMatchObject({ calls: 2 });
  });

  it("finds nothing, and throws nothing, while its clock throws", () => {
    let isBroken = false;
    const now = () => {
      if (isBroken) throw new Error("no time");
      return 0;
    };
    const { fleet, one, two } = swarm({ now });
    tell(one, report(0));
    tell(two, report(0));
    isBroken = true;

    expect(() => tell(one, report(1))).not.toThrow();
    expect(one.verdict(dead)).toBeUndefined();
    expect(fleet.findings()).toEqual([]);
    isBroken = false;
    expect(one.verdict(dead)).toMatchObject({ calls: 2 });
  });

  it("forgets the fingerprint whose latest report is the oldest, and stays small", () => {
    const { fleet, one, two } = swarm();
    tell(one, report(0));
    tell(two, report(0));
    expect(fleet.findings()).toHaveLength(1);
    for (let id = 0; id < 10_001; id++) tell(one, report(id, { fingerprint: wide(id) }));

    expect(fleet.findings()).toEqual([]);
    expect(fleet.toJSON().tallies).toHaveLength(10_000);
  });

  it("counts calls and workers up to its capacity, and no further", () => {
    const { fleet, one } = swarm();
    for (let worker = 0; worker < 200; worker++) tell(fleet.join({ worker: `worker ${worker}` }), ...reports(2));

    expect(one.verdict(dead)).toMatchObject({ calls: 256, workers: 128 });
  });

  it("keeps nothing of calls outside the window", () => {
    const { clock, fleet, one } = swarm();
    tell(one, ...reports(5), ...reports(5, 5, { fingerprint: fingerprint(1) }));
    clock.at += 300_000;

    expect(fleet.toJSON().tallies).toEqual([]);
  });
});

describe("a snapshot of a memory fleet", () => {
  it("continues where the fleet stopped", () => {
    const before = swarm({ calls: 3 });
    tell(before.one, report(0));
    tell(before.two, report(0));
    const after = swarm({ calls: 3 });
    after.fleet.restoreFrom(stored(before.fleet));
    expect(after.one.verdict(dead)).toBeUndefined();

    tell(after.one, report(1));
    const [finding] = after.fleet.findings();
    expect(finding).toMatchObject({ tool: "fetch", calls: 3, workers: 2, workerNames: ["one", "two"] });
  });

  it("does not count calls again that were counted before it", () => {
    const before = swarm({ calls: 3 });
    tell(before.one, report(0), report(1));
    const after = swarm({ calls: 3 });
    after.fleet.restoreFrom(stored(before.fleet));
    tell(after.one, report(0), report(1));
    tell(after.two, report(0));

    expect(after.one.verdict(dead)).toMatchObject({ calls: 3 });
  });

  it("does not bring back calls that a success cleared before it", () => {
    const before = swarm();
    tell(before.one, report(0), report(1, { isBarren: false }));
    const after = swarm();
    after.fleet.restoreFrom(stored(before.fleet));
    tell(after.one, report(0));
    tell(after.two, report(0));

    expect(after.one.verdict(dead)).toBeUndefined();
  });

  it("counts the time since it was taken", () => {
    const before = swarm({ windowMs: 60_000 });
    tell(before.one, report(0));
    tell(before.two, report(0));
    const saved = stored(before.fleet);
    const after = swarm({ windowMs: 60_000 });

    after.clock.at = saved.at + 30_000;
    after.fleet.restoreFrom(saved);
    expect(after.one.verdict(dead)).toMatchObject({ calls: 2 });
    after.clock.at += 30_000;
    expect(after.one.verdict(dead)).toBeUndefined();

    after.fleet.restoreFrom(saved);
    expect(after.one.verdict(dead)).toBeUndefined();
  });

  it("does not age if the clock was set back in between", () => {
    const before = swarm();
    tell(before.one, report(0));
    tell(before.two, report(0));
    const saved = stored(before.fleet);
    const after = swarm();
    after.clock.at = saved.at - 86_400_000;
    after.fleet.restoreFrom(saved);

    expect(after.one.verdict(dead)).toMatchObject({ calls: 2 });
  });

  it("can be restored into a fleet with another window", () => {
    const before = swarm();
    tell(before.one, ...reports(4));
    before.clock.at += 60_000;
    tell(before.two, ...reports(4));
    const after = swarm({ windowMs: 60_000 });
    after.clock.at = before.clock.at;
    after.fleet.restoreFrom(stored(before.fleet));
    tell(after.one, report(4));

    expect(after.one.verdict(dead)).toMatchObject({ calls: 5, workers: 2 });
  });

  it("holds only digests, times and names", () => {
    const { fleet, one } = swarm();
    tell(one, { ...report(0), args: { token: "secret" }, output: "secret" } as never);

    expect(JSON.stringify(fleet)).not.toContain("secret");
    expect(JSON.stringify(fleet)).toContain("fetch");
  });

  it.each([
    undefined,
    null,
    "{}",
    7,
    [],
    {},
    { version: 1, at: 0, tallies: [] },
    { version: 2, at: "now", tallies: [] },
    { version: 2, at: 0 },
  ])("is refused if it is %o, and the fleet keeps what it knew", (wrong) => {
    const { fleet, one, two } = swarm();
    tell(one, report(0));
    tell(two, report(0));

    expect(() => fleet.restoreFrom(wrong as never)).toThrow(expect.objectContaining({ code: "invalid-snapshot" }));
    expect(fleet.findings()).toHaveLength(1);
  });

  it("is restored without the entries that cannot be read", () => {
    const before = swarm();
    tell(before.one, report(0));
    tell(before.two, report(0));
    const { tallies, ...saved } = stored(before.fleet);
    const [[, tool, calls]] = tallies as [MemoryFleetSnapshot["tallies"][number]];
    const [[id]] = calls as [(typeof calls)[number]];
    const oddCalls = [null, [], [id], [id, -1], [id, "0"], ["x", 0, "three"], [id, 0, ""], [id, 0, 5], ...calls];
    const odd = [null, 5, [dead, tool, 5], ["x", tool, calls], [dead, 5, calls], [fingerprint(1), tool, []]];
    const after = swarm();
    after.fleet.restoreFrom({ ...saved, tallies: [...odd, [dead, tool, oddCalls]] } as never);

    expect(after.fleet.findings()).toMatchObject([{ fingerprint: dead, calls: 2, workers: 2 }]);
    expect(after.fleet.toJSON().tallies).toHaveLength(1);
  });

  it("is either restored or refused, whatever JSON it is, and never yields a finding without calls", () => {
    const id = fc.constantFrom(fingerprint(1), fingerprint(2), "x", 5);
    const call = fc.oneof(
      fc.tuple(id, fc.oneof(fc.integer(), fc.constant("x"))),
      fc.tuple(id, fc.oneof(fc.nat(400_000), fc.constant("x")), fc.constantFrom("one", "two", 5)),
      fc.jsonValue({ maxDepth: 1 }),
    );
    const calls = fc.oneof(fc.array(call), fc.constant(null));
    const tally = fc.tuple(fc.constantFrom(dead, "x"), fc.constant("fetch"), calls);
    const snapshot = fc.record({
      version: fc.constantFrom(1, 2, 2, 2),
      at: fc.oneof(fc.integer(), fc.constant("x")),
      tallies: fc.array(fc.oneof(tally, fc.jsonValue({ maxDepth: 1 })), { maxLength: 4 }),
    });
    fc.assert(
      fc.property(snapshot, (saved) => {
        const { fleet } = swarm();
        try {
          fleet.restoreFrom(saved as never);
        } catch (refusal) {
          expect(isDoomloopError(refusal)).toBe(true);
        }
        expect(fleet.findings().every(({ calls, workers }) => calls === 2 && workers === 2)).toBe(true);
        expect(() => swarm().fleet.restoreFrom(stored(fleet))).not.toThrow();
      }),
      { numRuns: propertyRuns() },
    );
  });
});
