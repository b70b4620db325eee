import { createStoreFleet, type StoreFleet, type StoreFleetOptions, storeRefusal } from "doomloop/fleet";
import { afterEach, describe, expect, it } from "vitest";
import { fingerprint, manualClock, report, reports, tell } from "../../../../../test/contracts/fleet.ts";
import type { FleetGlobalFinding } from "../fleet.ts";
import { createMemoryStore } from "../memory/memory-store.ts";
import type { FleetNotice } from "./store-fleet-options.ts";

const key = "a key of sixteen bytes";
const windowMs = 300_000;
const confirmMs = 6_250;

const opened: StoreFleet[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((fleet) => fleet.close()));
});

/** Processes that share a store in memory, on one clock. They ask the store only if a test flushes them. */
function swarmOf(processes: number, options: Partial<StoreFleetOptions> = {}) {
  const clock = manualClock();
  const store = createMemoryStore(clock.now);
  const found: FleetGlobalFinding[] = [];
  const notices: FleetNotice[] = [];
  const join = (): StoreFleet => {
    const fleet = createStoreFleet({
      ...{ store: store.open, key, witness: `process ${opened.length}`, heartbeatMs: 3_600_000, confirmMs },
      ...{ now: clock.now, deadlineMs: 60_000, onFinding: (finding: FleetGlobalFinding) => found.push(finding) },
      onNotice: (notice) => notices.push(notice),
      ...options,
    });
    opened.push(fleet);
    return fleet;
  };
  const fleets = Array.from({ length: processes }, join);
  const members = fleets.map((fleet) => fleet.join({ worker: "worker" }));
  /** Twice, so that the first ones hear what the last ones said. */
  const flush = async (): Promise<void> => {
    for (const fleet of [...fleets, ...fleets]) await fleet.flush();
  };
  let ids = 0;
  /** Each of these processes fails this often, or succeeds. */
  const fail = (of: readonly number[], calls: number, page = 0): void => {
    for (const at of of) for (let call = 0; call < calls; call++) tell(members[at]!, report(ids++, on(page)));
  };
  const succeed = (at: number, page = 0): void => tell(members[at]!, report(ids++, { ...on(page), isBarren: false }));
  const on = (page: number) => ({ fingerprint: fingerprint(page) });
  const told = (page = 0): boolean[] => members.map((member) => member.verdict(fingerprint(page)) !== undefined);
  return { clock, store, found, notices, join, fleets, members, flush, fail, succeed, told };
}

describe("who cleared the counts of a suspect", () => {
  const space = { tenant: "default", windowMs };

  it("is in the news", async () => {
    const { flush, fail, succeed, fleets, store, notices } = swarmOf(2);
    fail([0, 1], 3);
    await flush();
    succeed(1);
    await flush();
    const { news } = await store.open(space).beat({ cursor: undefined, agreement: undefined });

    expect(news.map(({ calls, by }) => [calls, by])).toEqual([
      [6, undefined],
      [0, fleets[1]!.stats().witness],
    ]);
    expect(notices).toEqual([]);
  });

  it("is told to operators if nobody says so, again and again", async () => {
    const { clock, flush, fail, store, notices } = swarmOf(2);
    fail([0, 1], 3);
    await flush();
    const evil = store.open(space);
    const { news } = await evil.beat({ cursor: undefined, agreement: undefined });
    const { name } = news[0]!;
    clock.at += 3000;
    await flush();
    for (let times = 1; times <= 4; times++) {
      await evil.forget(name);
      clock.at += 3000;
      fail([0], 1);
      await flush();
      clock.at += 3000;
      await flush();
      expect(notices).toHaveLength(times < 3 ? 0 : 1);
    }

    expect(notices).toMatchObject([{ kind: "counts-removed", calls: [{ name, tool: "fetch", times: 3, unsaid: 3 }] }]);
  });

  it("is told to nobody if the call works now and then", async () => {
    const { clock, flush, fail, succeed, notices } = swarmOf(3);
    for (let times = 0; times < 10; times++) {
      fail([0, 1], 3);
      await flush();
      clock.at += 3000;
      succeed(2);
      await flush();
      fail([0], 1);
      await flush();
      clock.at += 3000;
      succeed(2);
      await flush();
    }

    expect(notices).toEqual([]);
  });
});

describe("a dead end that several processes have found", () => {
  it("is told once everybody had the time to object", async () => {
    const { clock, flush, fail, told } = swarmOf(3);
    fail([0, 1], 5);
    await flush();
    expect(told()).toEqual([false, false, false]);
    clock.at += confirmMs - 1;
    await flush();
    expect(told()).toEqual([false, false, false]);

    clock.at += 1;
    // A process believes it once it has heard that nobody objected.
    expect(told()).toEqual([false, false, false]);
    await flush();
    expect(told()).toEqual([true, true, true]);
  });

  it("is told at once to a process that starts when the time to object is over", async () => {
    const { clock, flush, fail, join } = swarmOf(2);
    fail([0, 1], 5);
    await flush();
    clock.at += confirmMs;
    const late = join();
    await late.flush();

    expect(late.findings()).toMatchObject([{ calls: 10, workers: 2 }]);
  });

  it("is nobody's if a process has seen the call work since it was first counted", async () => {
    const { clock, flush, fail, succeed, told, found } = swarmOf(3);
    fail([0], 5);
    await flush();
    clock.at += 1000;
    // This process suspects nothing, and so sends nothing.
    succeed(2);
    fail([1], 5);
    await flush();
    clock.at += confirmMs;
    await flush();
    await flush();

    expect([told(), found]).toEqual([[false, false, false], []]);
  });

  it("is found although it has worked before the first failure", async () => {
    const { clock, flush, fail, succeed, told } = swarmOf(3);
    for (const at of [0, 1, 2]) succeed(at);
    clock.at += 1000;
    fail([0, 1], 5);
    await flush();
    clock.at += confirmMs;
    await flush();

    expect(told()).toEqual([true, true, true]);
  });

  it("is found if the call stops working for good, after one more count", async () => {
    const { clock, flush, fail, succeed, told } = swarmOf(3);
    fail([0], 1);
    await flush();
    clock.at += 1000;
    succeed(2);
    for (let round = 0; round < 3; round++) {
      clock.at += confirmMs;
      fail([0, 1], 5);
      await flush();
    }

    expect(told()).toEqual([true, true, true]);
  });

  it("does not follow from calls that fail now and then in many processes", async () => {
    const { clock, flush, fail, succeed, told } = swarmOf(20);
    for (let second = 0; second < 60; second++) {
      clock.at += 1000;
      for (let at = 0; at < 20; at++) {
        if ((second * 20 + at) % 10 === 0) fail([at], 1);
        else succeed(at);
      }
      if (second % 5 === 0) await flush();
      expect(told()).not.toContain(true);
    }
  });

  it.each([
    { workers: 3, plan: [6, 6, 2] },
    { workers: 3, plan: [45, 45, 2] },
    { workers: 5, plan: [20, 20, 20, 20, 2] },
    { workers: 10, plan: [9, 9, 9, 9, 9, 9, 9, 9, 9, 1] },
  ])("is heard of by others with whatever threshold: $workers workers, $plan calls", async ({ workers, plan }) => {
    const { fleets, flush, fail, found, join } = swarmOf(plan.length, { workers, confirmMs: 0 });
    for (const [at, calls] of plan.entries()) {
      fail([at], calls);
      await fleets[at]!.flush();
    }
    await flush();
    const listener = join();
    await listener.flush();

    expect(listener.findings()).toHaveLength(1);
    expect(found).toHaveLength(1);
  });
});

describe("what operators hear of a dead end", () => {
  it("comes once in a window, however often it is cleared and found again, by whichever process", async () => {
    const { clock, flush, fail, succeed, found } = swarmOf(3, { confirmMs: 0 });
    for (let round = 0; round < 10; round++) {
      clock.at += 1000;
      fail([round % 3, (round + 1) % 3], 6);
      await flush();
      succeed(round % 3);
      await flush();
    }
    expect(found).toHaveLength(1);

    clock.at += windowMs;
    fail([0, 1], 6);
    await flush();
    expect(found).toMatchObject([{ tool: "fetch" }, { tool: "fetch", windowMs }]);
  });

  it("comes for each dead end, and for none that somebody objected to", async () => {
    const { clock, flush, fail, succeed, found } = swarmOf(3);
    for (const page of [0, 1, 2]) fail([0, 1], 5, page);
    await flush();
    clock.at += 1000;
    succeed(2, 1);
    await flush();
    clock.at += confirmMs;
    await flush();

    expect(found).toHaveLength(2);
  });
});

describe("reports that would change nothing", () => {
  it("are not sent once the fleet counts a hundred calls", async () => {
    const { flush, fail, fleets } = swarmOf(3, { confirmMs: 0 });
    fail([0, 1], 60);
    await flush();
    const delivered = fleets.map((fleet) => fleet.stats().delivered);
    fail([0, 1, 2], 50);
    await flush();

    expect(fleets.map((fleet) => fleet.stats().delivered)).toEqual(delivered);
    expect(fleets.map((fleet) => fleet.stats().spared)).toEqual([50, 50, 50]);
  });

  it("are sent by a process whose word is still missing", async () => {
    const { flush, fail, fleets, told } = swarmOf(3, { workers: 3, confirmMs: 0 });
    fail([0, 1], 60);
    await flush();
    fail([0, 1, 2], 1);
    await flush();

    expect(told()).toEqual([true, true, true]);
    expect(fleets.map((fleet) => fleet.stats().spared)).toEqual([1, 1, 0]);
  });

  it("are sent again with the next window", async () => {
    const { clock, flush, fail, told } = swarmOf(2, { confirmMs: 0 });
    fail([0, 1], 60);
    await flush();
    clock.at += windowMs;
    fail([0, 1], 60);
    await flush();

    expect(told()).toEqual([true, true]);
  });
});

describe("a fleet over a store of the host's", () => {
  it("tells apart a store that refuses and one that does not answer", async () => {
    const { open } = createMemoryStore();
    for (const [fault, kind] of [
      [storeRefusal("disk is full"), "reports-refused"],
      [new Error("disk is gone"), "store-away"],
    ] as const) {
      const fails = () => Promise.reject(fault);
      const { notices, fleets, fail, flush } = swarmOf(1, {
        store: (space) => ({ ...open(space), count: fails, ...(kind === "store-away" && { beat: fails }) }),
      });
      fail([0], 1);
      for (let asked = 0; asked < 3; asked++) await flush();

      expect(notices).toEqual([{ kind, reason: fault.message }]);
      expect(fleets[0]!.stats()).toMatchObject({ lost: 1, store: kind === "store-away" ? "away" : "connected" });
    }
  });

  it("goes on if the store throws at once, or answers something else", async () => {
    const nonsense = () => undefined as never;
    const { fleets, members, fail, flush } = swarmOf(1, {
      store: () => ({
        ...{ count: nonsense, forget: nonsense, announce: nonsense, permit: nonsense },
        beat() {
          throw new Error("broken");
        },
      }),
    });
    fail([0], 3);
    await flush();

    expect(members[0]!.verdict(fingerprint(0))).toBeUndefined();
    expect(fleets[0]!.stats().queued).toBe(0);
  });

  it("notices that the news are flooded, once until a minute has passed without a flood", async () => {
    const { open } = createMemoryStore();
    let isFlooded = true;
    let nowMs = 0;
    const { notices, flush } = swarmOf(1, {
      now: () => nowMs,
      store: (space) => {
        const store = open(space);
        return { ...store, beat: async (question) => ({ ...(await store.beat(question)), isFlooded }) };
      },
    });
    await flush();
    await flush();
    for (const passedMs of [5_000, 61_000]) {
      isFlooded = false;
      nowMs += passedMs;
      await flush();
      isFlooded = true;
      await flush();
      expect(notices).toHaveLength(passedMs < 60_000 ? 1 : 2);
    }

    expect(notices).toEqual([{ kind: "news-flooded" }, { kind: "news-flooded" }]);
  });

  it("is not told by a process that hears of a hundred before it reports, however slowly they were reached", async () => {
    const { fleets, fail, flush } = swarmOf(3);
    for (const calls of [45, 3, 3, 3]) {
      fail([0, 1], calls);
      await flush();
    }
    fail([2], 4);

    expect(fleets[2]!.stats()).toMatchObject({ reported: 0, spared: 4 });
  });

  it("puts off the first report of a thing in a fleet of many runs, and flushes it at the end", async () => {
    const { fleets, members } = swarmOf(2);
    for (let run = 0; run < 5000; run++) {
      tell(fleets[1]!.join({ worker: "w", run: String(run) }), report(0, { isBarren: undefined }));
    }
    tell(members[0]!, report(0, { isBarren: undefined }));
    for (const fleet of [fleets[1]!, fleets[0]!]) await fleet.flush();
    expect(fleets[0]!.stats().runs.fleet).toBeGreaterThan(5000);
    tell(members[0]!, ...reports(2));
    expect(fleets[0]!.stats()).toMatchObject({ queued: 2, delivered: 0 });
    await fleets[0]!.flush();

    expect(fleets[0]!.stats()).toMatchObject({ queued: 0, delivered: 2 });
  });
});
