import type { Fleet, FleetMember, FleetOptions } from "doomloop/fleet";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FleetReport } from "../../packages/doomloop/src/fleet/fleet-member.ts";
import { propertyRuns } from "../property-runs.ts";

/** A fingerprint for tests: different for different numbers from 0 to 999. */
export function fingerprint(number: number): string {
  return String.fromCharCode(0x3400 + number).repeat(9);
}

export function report(id: number, more: Partial<FleetReport> = {}): FleetReport {
  return { id: String(id), fingerprint: fingerprint(0), tool: "fetch", isBarren: true, ...more };
}

/** Barren reports with ids from `first` on. */
export function reports(count: number, first = 0, more: Partial<FleetReport> = {}): FleetReport[] {
  return Array.from({ length: count }, (_, at) => report(first + at, more));
}

export function tell(member: FleetMember, ...told: readonly FleetReport[]): void {
  for (const each of told) member.report(each);
}

/** A clock that stands where it was set. */
export function manualClock(at = 1_000_000): { at: number; now: () => number } {
  const clock = { at, now: () => clock.at };
  return clock;
}

/** Makes a fleet that knows nothing and shares nothing with those made before. */
type CreateFleet = (options: FleetOptions) => Fleet | Promise<Fleet>;

/** Makes a fleet with two workers in it, on a clock of its own. */
type CreateSwarm = ReturnType<typeof swarmOf>;

function swarmOf(create: CreateFleet) {
  return async (options: FleetOptions = {}) => {
    const clock = manualClock();
    const fleet = await create({ now: clock.now, ...options });
    const verdict = async (of = 0) => {
      await fleet.flush();
      return fleet.join({ worker: "listener" }).verdict(fingerprint(of));
    };
    return { clock, fleet, verdict, one: fleet.join({ worker: "one" }), two: fleet.join({ worker: "two" }) };
  };
}

/**
 * What every fleet does, wherever its counts live.
 *
 * `create` makes a fleet that knows nothing and shares nothing with those made before. `runs` is how often each property
 * is tried: less for a store that is slow to make.
 */
export function fleetContract(name: string, create: CreateFleet, runs: number = propertyRuns()): void {
  const swarm = swarmOf(create);

  describe(`${name}, as a fleet`, () => {
    fleetCounts(swarm);
    fleetWindow(swarm);
    fleetDeadEnds(swarm);
    fleetRefusals(swarm);
    fleetProperties(create, runs);
  });
}

/** What counts, and how often. */
function fleetCounts(swarm: CreateSwarm): void {
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

/** How long a call counts. */
function fleetWindow(swarm: CreateSwarm): void {
  it("forgets calls that are older than the window", async () => {
    const { one, two, clock, verdict } = await swarm({ calls: 4, windowMs: 60_000 });
    tell(one, ...reports(2));
    tell(two, ...reports(2));
    expect(await verdict()).toMatchObject({ calls: 4 });

    clock.at += 60_000;
    expect(await verdict()).toBeUndefined();
  });

  it("never adds up calls that no window holds together", async () => {
    const { one, two, clock, verdict } = await swarm({ calls: 4, windowMs: 60_000 });
    for (let at = 0; at < 20; at++) {
      tell(at % 2 === 0 ? one : two, report(at));
      expect(await verdict()).toBeUndefined();
      clock.at += 20_000;
    }
  });

  it("goes on when its clock is set back, and still forgets with the time that passes", async () => {
    const { one, two, clock, verdict } = await swarm({ calls: 4, windowMs: 60_000 });
    tell(one, ...reports(2));
    clock.at -= 86_400_000;
    tell(two, ...reports(2));
    expect(await verdict()).toMatchObject({ calls: 4 });

    clock.at += 60_000;
    expect(await verdict()).toBeUndefined();
  });
}

/** What a fleet knows of its dead ends, and when it forgets them. */
function fleetDeadEnds(swarm: CreateSwarm): void {
  it("lists its dead ends with their workers, the one with the most calls first", async () => {
    const { one, two, fleet } = await swarm({ calls: 2 });
    tell(one, report(0), report(1, { fingerprint: fingerprint(1), tool: "search" }));
    tell(two, ...reports(3), report(3, { fingerprint: fingerprint(1), tool: "search" }));
    tell(one, report(2, { fingerprint: fingerprint(2) }));
    await fleet.flush();

    const findings = fleet.findings().map((finding) => ({ ...finding, workerNames: finding.workerNames.toSorted() }));
    const both = { workers: 2, windowMs: 300_000, workerNames: ["one", "two"] };
    expect(findings).toEqual([
      { fingerprint: expect.any(String), tool: "fetch", calls: 4, ...both },
      { fingerprint: expect.any(String), tool: "search", calls: 2, ...both },
    ]);
    expect(findings[0]!.fingerprint).not.toBe(findings[1]!.fingerprint);
  });

  it("knows nothing after it was cleared, and counts on for members that joined before", async () => {
    const { one, two, fleet, verdict } = await swarm({ calls: 2 });
    tell(one, report(0));
    tell(two, report(0));
    fleet.clear();
    expect(await verdict()).toBeUndefined();
    expect(fleet.findings()).toEqual([]);

    tell(one, report(1));
    tell(two, report(1));
    expect(await verdict()).toMatchObject({ calls: 2 });
  });

  it("shares nothing with another fleet", async () => {
    const here = await swarm({ calls: 2 });
    const there = await swarm({ calls: 2 });
    tell(here.one, report(0));
    tell(there.two, report(0));
    expect(await here.verdict()).toBeUndefined();

    tell(here.two, report(0));
    there.fleet.clear();
    expect(await here.verdict()).toMatchObject({ calls: 2 });
    expect(await there.verdict()).toBeUndefined();
  });
}

/** What a fleet does with what is no report, and no worker. */
function fleetRefusals(swarm: CreateSwarm): void {
  const broken: { title: string; report: unknown }[] = [
    { title: "no report at all", report: undefined },
    { title: "no id", report: { ...report(9), id: undefined } },
    { title: "a number for an id", report: { ...report(9), id: 9 } },
    { title: "no word on what came of it", report: { ...report(9), isBarren: undefined } },
    { title: "no tool", report: { ...report(9), tool: undefined } },
    { title: "words in place of a fingerprint", report: { ...report(9), fingerprint: "cat secret.txt" } },
  ];

  it.each(broken)("neither throws nor counts for $title", async ({ report: wrong }) => {
    const { one, two, fleet, verdict } = await swarm({ calls: 2 });
    tell(one, report(0));
    expect(() => tell(two, wrong as FleetReport, wrong as FleetReport)).not.toThrow();

    expect(await verdict()).toBeUndefined();
    expect(fleet.findings()).toEqual([]);
    tell(two, report(0));
    expect(await verdict()).toMatchObject({ calls: 2 });
  });

  it.each([{ worker: "" }, { worker: "w".repeat(257) }, { worker: 7 as never }, { worker: "one", run: 7 as never }])(
    "refuses $worker as a worker",
    async (worker) => {
      const { fleet } = await swarm();

      expect(() => fleet.join(worker)).toThrow(expect.objectContaining({ code: "invalid-option" }));
    },
  );
}

const delivery = fc.record({
  worker: fc.nat(2),
  id: fc.nat(4),
  of: fc.nat(1),
  isBarren: fc.boolean(),
  waitMs: fc.constantFrom(0, 0, 0, 40_000, 400_000, -50_000),
});

/** What holds whatever is delivered, in which order and how often. */
function fleetProperties(create: CreateFleet, runs: number): void {
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
