import { isDoomloopError } from "doomloop";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fingerprint, fleetContract, manualClock, report, reports, tell } from "../../../../../test/contracts/fleet.ts";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { createMemoryFleet, type MemoryFleet, type MemoryFleetOptions } from "./memory-fleet.ts";
import type { MemoryFleetSnapshot } from "./memory-fleet-snapshot.ts";

fleetContract("createMemoryFleet", createMemoryFleet);

const dead = fingerprint(0);

function swarm(options: MemoryFleetOptions = {}) {
  const clock = manualClock();
  const fleet = createMemoryFleet({ now: clock.now, calls: 2, ...options });
  return { clock, fleet, one: fleet.join({ worker: "one" }), two: fleet.join({ worker: "two" }) };
}

/** Through JSON and back, like a snapshot that is saved. */
function stored(fleet: MemoryFleet): MemoryFleetSnapshot {
  return JSON.parse(JSON.stringify(fleet)) as MemoryFleetSnapshot;
}

describe("createMemoryFleet", () => {
  it.each<MemoryFleetOptions>([
    { calls: 1 },
    { calls: 2.5 },
    { workers: 1 },
    { calls: 5, workers: 6 },
    { windowMs: 0 },
    { windowMs: Number.NaN },
    { buckets: 0 },
    { maxFingerprints: 0 },
    { calls: 20, maxCallsPerFingerprint: 19 },
    { now: 5 as never },
  ])("refuses %o", (options) => {
    expect(() => createMemoryFleet(options)).toThrow(expect.objectContaining({ code: "invalid-option" }));
  });

  it("uses the machine's clock by default", () => {
    const fleet = createMemoryFleet({ calls: 2 });
    tell(fleet.join({ worker: "one" }), report(0));
    tell(fleet.join({ worker: "two" }), report(0));

    expect(fleet.findings()).toMatchObject([{ calls: 2 }]);
  });

  it("drops a call with its part of the window, at most one part early", () => {
    const { clock, one, two } = swarm({ windowMs: 100_000, buckets: 10 });
    clock.at += 9_999;
    tell(one, report(0));
    tell(two, report(0));

    clock.at += 90_000;
    expect(one.verdict(dead)).toMatchObject({ calls: 2 });
    clock.at += 1;
    expect(one.verdict(dead)).toBeUndefined();
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

  it("forgets the fingerprint whose latest report is the oldest", () => {
    const { fleet, one, two } = swarm({ maxFingerprints: 2 });
    const dies = (id: number, of: number) => {
      tell(one, report(id, { fingerprint: fingerprint(of) }));
      tell(two, report(id, { fingerprint: fingerprint(of) }));
    };
    dies(0, 0);
    dies(1, 1);
    dies(2, 0);
    dies(3, 2);

    expect(fleet.findings().map((finding) => finding.fingerprint)).toEqual([fingerprint(0), fingerprint(2)]);
  });

  it("counts calls and workers up to its capacity, and no further", () => {
    const { fleet, one } = swarm({ maxCallsPerFingerprint: 8 });
    for (let worker = 0; worker < 20; worker++) tell(fleet.join({ worker: `worker ${worker}` }), ...reports(2));

    expect(one.verdict(dead)).toMatchObject({ calls: 8, workers: 4 });
  });

  it("stays small however much is reported", () => {
    const { clock, fleet, one, two } = swarm({ maxFingerprints: 5, maxCallsPerFingerprint: 10 });
    for (let id = 0; id < 5_000; id++) {
      tell(id % 2 === 0 ? one : two, report(id, { fingerprint: fingerprint(id % 50), tool: "t".repeat(9_999) }));
      clock.at += 100;
    }

    expect(JSON.stringify(fleet).length).toBeLessThan(5 * (10 * 30 + 10 * 60 + 300));
  });

  it("keeps nothing of calls outside the window", () => {
    const { clock, fleet, one } = swarm();
    tell(one, ...reports(5), ...reports(5, 5, { fingerprint: fingerprint(1) }));
    clock.at += 300_000;

    expect(fleet.toJSON().tallies).toEqual([]);
  });

  it("keeps nothing of a fingerprint that only ever got workers further", () => {
    const { fleet, one } = swarm();
    tell(one, ...reports(5, 0, { isBarren: false }));

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

  it("replaces what the fleet knew", () => {
    const { fleet, one, two } = swarm();
    const empty = stored(fleet);
    tell(one, report(0));
    tell(two, report(0));
    fleet.restoreFrom(empty);

    expect(fleet.findings()).toEqual([]);
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

  it("can be restored into a fleet with another window, other parts and a smaller capacity", () => {
    const before = swarm({ maxFingerprints: 9 });
    for (const of of [0, 1, 2]) {
      tell(before.one, ...reports(4, 10 * of, { fingerprint: fingerprint(of) }));
      tell(before.two, ...reports(4, 10 * of, { fingerprint: fingerprint(of) }));
    }
    const after = swarm({ windowMs: 60_000, buckets: 3, maxFingerprints: 2, maxCallsPerFingerprint: 6 });
    after.fleet.restoreFrom(stored(before.fleet));

    const calls = after.fleet.findings().map((finding) => [finding.fingerprint, finding.calls]);
    expect(calls).toEqual([
      [fingerprint(1), 6],
      [fingerprint(2), 6],
    ]);
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
    { version: 2, at: 0, tallies: [] },
    { version: 1, at: "now", tallies: [] },
    { version: 1, at: 0 },
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
    const [{ buckets, ...tally }] = tallies as [MemoryFleetSnapshot["tallies"][number]];
    const [bucket] = buckets as [(typeof buckets)[number]];
    const [[id]] = bucket.counted as [(typeof bucket.counted)[number]];
    const oddBuckets = [
      null,
      { ...bucket, ageMs: -1 },
      { ...bucket, ageMs: "0" },
      { ...bucket, counted: 5 },
      { ...bucket, counted: [null, [], [id], [id, ""], ["x", "three"]], settled: ["x", 5] },
      bucket,
    ];
    const oddTallies = [null, 5, { ...tally, buckets: 5 }, { ...tally, buckets: [], fingerprint: "x" }];
    const after = swarm();
    const odd = [
      ...oddTallies,
      { ...tally, buckets: oddBuckets },
      { ...tally, buckets: [], fingerprint: fingerprint(1) },
    ];
    after.fleet.restoreFrom({ ...saved, tallies: odd } as never);

    expect(after.fleet.findings()).toMatchObject([{ fingerprint: dead, calls: 2, workers: 2 }]);
    expect(after.fleet.toJSON().tallies).toHaveLength(1);
  });

  it("is either restored or refused, whatever JSON it is, and never yields a finding without calls", () => {
    const id = fc.constantFrom(fingerprint(1), fingerprint(2), "x", 5);
    const bucket = fc.record(
      {
        ageMs: fc.oneof(fc.integer(), fc.jsonValue({ maxDepth: 1 })),
        counted: fc.oneof(fc.array(fc.tuple(id, fc.constantFrom("one", "two", 5))), fc.constant(null)),
        settled: fc.oneof(fc.array(id), fc.constant(null)),
      },
      { requiredKeys: [] },
    );
    const tally = fc.record({
      fingerprint: fc.constantFrom(dead, "x"),
      tool: fc.constant("fetch"),
      buckets: fc.array(bucket),
    });
    const snapshot = fc.record({
      version: fc.constantFrom(1, 1, 1, 2),
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
