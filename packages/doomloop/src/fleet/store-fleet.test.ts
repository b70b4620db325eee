import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createGuard } from "doomloop";
import {
  createStoreFleet,
  type FleetStore,
  type OpenFleetStore,
  type StoreFleet,
  type StoreFleetOptions,
} from "doomloop/fleet";
import { afterEach, describe, expect, it } from "vitest";
import { step, times } from "../../../../test/builders.ts";
import { fingerprint, fleetContract, manualClock, report, reports, tell } from "../../../../test/contracts/fleet.ts";
import { createMemoryStore } from "../../../../test/contracts/fleet-memory-store.ts";
import type { FleetGlobalFinding } from "./fleet.ts";

const key = "a key of sixteen bytes";
/** All processes have looked at the list once more, and any objection has arrived. */
const CONFIRM_MS = 3_750;

const opened: StoreFleet[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((fleet) => fleet.close()));
});

function opens(options: Partial<StoreFleetOptions> = {}): StoreFleet {
  const fleet = createStoreFleet({ store: createMemoryStore(), key, witness: `process ${opened.length}`, ...options });
  opened.push(fleet);
  return fleet;
}

fleetContract("createStoreFleet", (options) => opens({ ...options, store: createMemoryStore(options.now) }), 40);

/** Processes that share a store in memory, on one clock. */
function swarmOf(processes: number, options: Partial<StoreFleetOptions> = {}, change = (store: FleetStore) => store) {
  const clock = manualClock();
  const open = createMemoryStore(clock.now);
  const store: OpenFleetStore = (space) => change(open(space));
  const found: FleetGlobalFinding[] = [];
  const faults: string[] = [];
  const fleets = Array.from({ length: processes }, () =>
    opens({
      ...{ store, now: clock.now, deadlineMs: 60_000, onFinding: (finding) => found.push(finding) },
      onFault: (fault) => faults.push((fault as Error).message),
      ...options,
    }),
  );
  const members = fleets.map((fleet) => fleet.join({ worker: "worker" }));
  /** Twice, so that the first ones hear what the last ones said. */
  const flush = async (): Promise<void> => {
    for (const fleet of [...fleets, ...fleets]) await fleet.flush();
  };
  const confirmed = async (): Promise<void> => {
    await flush();
    clock.at += CONFIRM_MS;
    await flush();
  };
  let ids = 0;
  const fail = (of: readonly number[], calls: number, page = 0): void => {
    for (const at of of)
      for (let call = 0; call < calls; call++) tell(members[at]!, report(ids++, { fingerprint: fingerprint(page) }));
  };
  const succeed = (at: number): void => tell(members[at]!, report(ids++, { isBarren: false }));
  const told = (page = 0): boolean[] => members.map((member) => member.verdict(fingerprint(page)) !== undefined);
  return { clock, found, faults, fleets, members, flush, confirmed, fail, succeed, told };
}

describe("processes that share a store", () => {
  it("are all told of ten failures of two processes, once all had time to object", async () => {
    const { clock, flush, fail, told, members, found } = swarmOf(3);
    fail([0, 1], 5);
    await flush();
    clock.at += CONFIRM_MS - 1;
    await flush();
    expect(told()).toEqual([false, false, false]);

    clock.at += 1;
    await flush();
    expect(members[2]!.verdict(fingerprint(0))).toEqual({
      calls: 10,
      workers: 2,
      counted: "processes",
      windowMs: 300_000,
    });
    expect(told()).toEqual([true, true, true]);
    expect(found).toMatchObject([{ tool: "fetch", calls: 10, workers: 2, counted: "processes", workerNames: [] }]);
  });

  it("are told of nothing that one process alone has met, however often", async () => {
    const { confirmed, fail, told } = swarmOf(2);
    fail([0], 50);
    await confirmed();

    expect(told()).toEqual([false, false]);
  });

  it("are told of nothing that has worked in a process that never failed", async () => {
    const { clock, confirmed, fail, succeed, told } = swarmOf(4);
    fail([0, 1], 3);
    clock.at += 20_000;
    succeed(3);
    clock.at += 20_000;
    fail([0, 1], 3);
    await confirmed();
    await confirmed();

    expect(told()).toEqual([false, false, false, false]);
  });

  it("are told of a page that worked once, long before it was gone", async () => {
    const { clock, confirmed, fail, succeed, told } = swarmOf(2);
    succeed(0);
    clock.at += 60_000;
    fail([0, 1], 5);
    await confirmed();

    expect(told()).toEqual([true, true]);
  });

  it("forget a dead end that has worked anywhere, and find it again", async () => {
    const { confirmed, flush, fail, succeed, told, clock } = swarmOf(3);
    fail([0, 1], 5);
    await confirmed();
    succeed(2);
    await flush();
    expect(told()).toEqual([false, false, false]);

    clock.at += 30_000;
    fail([0, 1], 4);
    await confirmed();
    expect(told()).toEqual([false, false, false]);
    fail([0, 1], 1);
    await confirmed();
    expect(told()).toEqual([true, true, true]);
  });

  it("forget a dead end with the window of its first call", async () => {
    const { clock, confirmed, fail, told, flush } = swarmOf(2);
    fail([0, 1], 5);
    await confirmed();
    clock.at += 300_000;
    expect(told()).toEqual([false, false]);

    await flush();
    await confirmed();
    fail([0, 1], 5);
    await confirmed();
    expect(told()).toEqual([true, true]);
  });

  it("send no more about a dead end that they know", async () => {
    let counted = 0;
    const { confirmed, flush, fail } = swarmOf(2, {}, (store) => ({
      ...store,
      count(reported) {
        counted += reported.calls.length;
        return store.count(reported);
      },
    }));
    fail([0, 1], 5);
    await confirmed();
    fail([0, 1], 50);
    await flush();

    expect(counted).toBe(10);
  });

  it("count calls of equally named workers of two processes apart, and a report that comes twice once", async () => {
    const { confirmed, members, told } = swarmOf(2);
    for (const member of [...members, ...members]) tell(member, ...reports(5));
    await confirmed();

    expect(told()).toEqual([true, true]);
  });

  it("list what workers here and elsewhere ran into, with the names of those here", async () => {
    const { confirmed, fail, fleets } = swarmOf(3, { calls: 4 });
    fail([0, 1], 2);
    for (const worker of ["ada", "ben"])
      tell(fleets[2]!.join({ worker }), ...reports(3, 0, { fingerprint: fingerprint(1) }));
    await confirmed();

    expect(fleets[2]!.findings()).toMatchObject([
      { calls: 6, workers: 2, workerNames: ["ada", "ben"] },
      { calls: 4, workers: 2, counted: "processes", workerNames: [] },
    ]);
  });

  it("forget everything if one of them clears the fleet", async () => {
    const { confirmed, fail, fleets, flush, told } = swarmOf(2);
    fail([0, 1], 5);
    await confirmed();
    fleets[1]!.clear();
    await flush();

    expect(told()).toEqual([false, false]);
  });

  it("count every call if asked to, and clear nothing", async () => {
    const { confirmed, fail, succeed, told } = swarmOf(2, { countAll: true });
    fail([0, 1], 4);
    succeed(0);
    succeed(1);
    await confirmed();

    expect(told()).toEqual([true, true]);
  });
});

describe("a fleet whose store fails", () => {
  it("goes on with what this process sees, and says so once for each outage", async () => {
    let isAway = false;
    const states: string[] = [];
    const observer = { onFlush() {}, onState: (state: string) => states.push(state) };
    const ask = async <Answer>(question: () => Promise<Answer>): Promise<Answer> => {
      if (isAway) throw new Error("gone\u001b[31m away");
      return question();
    };
    const { confirmed, flush, fail, fleets, faults, told } = swarmOf(2, { observer }, (store) => ({
      count: (each) => ask(() => store.count(each)),
      suspect: (each) => ask(() => store.suspect(each)),
      suspects: () => ask(store.suspects),
      clear: (name) => ask(() => store.clear(name)),
    }));
    fail([0, 1], 5);
    await confirmed();
    isAway = true;
    await flush();
    expect(told()).toEqual([false, false]);
    for (const worker of ["ada", "ben"]) tell(fleets[0]!.join({ worker }), ...reports(5));
    expect(told()).toEqual([true, false]);
    isAway = false;
    await flush();

    expect(told()).toEqual([true, true]);
    expect(faults).toEqual(Array(2).fill("fleet: the store does not answer as it should: gone [31m away"));
    expect(states).toEqual(["connected", "connected", "degraded", "degraded", "connected", "connected"]);
  });

  it("says once that the store refuses reports while it answers the rest, and still of each outage", async () => {
    let isAway = false;
    const { clock, faults, fail, flush } = swarmOf(1, {}, (store) => ({
      ...store,
      count: () => Promise.reject(new Error("NOPERM")),
      suspects: () => (isAway ? Promise.reject(new Error("away")) : store.suspects()),
    }));
    for (let times = 0; times < 5; times++) {
      fail([0], 1);
      clock.at += 1000;
      await flush();
    }
    expect(faults).toEqual([expect.stringContaining("NOPERM")]);
    isAway = true;
    await flush();

    expect(faults.slice(1)).toEqual([expect.stringContaining("away")]);
  });

  it("tells the store of a success that it did not take, and gives up old reports", async () => {
    let isAway = false;
    const dropped: number[] = [];
    const observer = {
      onState() {},
      onFlush: ({ outcome, reports: lost }: { outcome: string; reports: number }) =>
        outcome === "dropped" && dropped.push(lost),
    };
    const { clock, confirmed, flush, fail, succeed, told } = swarmOf(2, { observer }, (store) => ({
      ...store,
      clear: (name) => (isAway ? Promise.reject(new Error("away")) : store.clear(name)),
      count: (each) => (isAway ? Promise.reject(new Error("away")) : store.count(each)),
    }));
    fail([0, 1], 5);
    await flush();
    isAway = true;
    succeed(0);
    fail([1], 3, 1);
    await flush();
    clock.at += 10_001;
    isAway = false;
    await confirmed();

    expect(told()).toEqual([false, false]);
  });

  it("waits for a late answer no longer than the deadline, and takes it when it comes", async () => {
    let resolve = () => {};
    const promise = new Promise<void>((done) => {
      resolve = done;
    });
    let isSlow = true;
    const { flush, fail, told, confirmed } = swarmOf(2, { deadlineMs: 20 }, (store) => ({
      ...store,
      async count(each) {
        if (isSlow) await promise;
        return store.count(each);
      },
    }));
    fail([0, 1], 5);
    await flush();
    expect(told()).toEqual([false, false]);

    isSlow = false;
    resolve();
    await confirmed();
    expect(told()).toEqual([true, true]);
  });

  it("closes within the deadline, and judges alone after that", async () => {
    const never = new Promise<never>(() => {});
    const states: string[] = [];
    const fleet = opens({
      store: () => ({ count: () => never, suspect: () => never, suspects: () => never, clear: () => never }),
      ...{ deadlineMs: 50, onFault() {}, observer: { onFlush() {}, onState: (state: string) => states.push(state) } },
    });
    const [one, two] = ["one", "two"].map((worker) => fleet.join({ worker }));
    tell(one!, ...reports(5));
    await fleet.close();
    tell(two!, ...reports(5));

    expect(two!.verdict(fingerprint(0))).toMatchObject({ calls: 10, workers: 2 });
    expect(states.at(-1)).toBe("ended");
  });

  it("warns once by itself if nobody listens", () => {
    const source = pathToFileURL(join(import.meta.dirname, "index.ts")).href;
    // A process warns only so often, so this one is its own.
    const program = `
      import { createStoreFleet } from ${JSON.stringify(source)};
      const fleet = createStoreFleet({ store: () => ({}), key: ${JSON.stringify(key)} });
      for (let times = 0; times < 2; times++) await fleet.flush();
      await fleet.close();
    `;
    const { stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" });

    expect(stderr.match(/DoomloopWarning: doomloop: fleet: the store/g)).toHaveLength(1);
  });
});

describe("the timers of a fleet", () => {
  it("ask a store only while its runs make calls that others may make, too", async () => {
    let asked = 0;
    const change = (store: FleetStore): FleetStore => ({
      ...store,
      suspects() {
        asked++;
        return store.suspects();
      },
    });
    const { members } = swarmOf(1, { heartbeatMs: 100, windowMs: 300, now: performance.now.bind(performance) }, change);
    const active = () => {
      members[0]!.verdict(fingerprint(0));
      return asked;
    };
    await expect.poll(active, { timeout: 20_000 }).toBeGreaterThan(2);
    const within = async (ms: number) => {
      const before = asked;
      await new Promise((resolve) => setTimeout(resolve, ms));
      return asked - before;
    };
    await expect.poll(() => within(600), { timeout: 20_000 }).toBe(0);

    const before = asked;
    active();
    await expect.poll(() => asked, { timeout: 20_000 }).toBeGreaterThan(before);
  });

  it("deliver, hear and confirm without being asked", async () => {
    const now = performance.now.bind(performance);
    const { members, fail } = swarmOf(2, { heartbeatMs: 100, now });
    fail([0, 1], 5);

    await expect.poll(() => members[1]!.verdict(fingerprint(0)), { timeout: 20_000 }).toMatchObject({ calls: 10 });
  });
});

describe("the mode of a fleet", () => {
  const looping = times(12, step("read_file", { path: "a.ts" }, "the same text of the same file"));
  const isTold = (mode: StoreFleetOptions["mode"]): boolean => {
    const guard = createGuard({ fleet: opens({ ...(mode && { mode }) }).join({ worker: "w" }), onFault() {} });
    return looping.some((event) => guard.observe(event).action !== "continue");
  };

  it.each<[StoreFleetOptions["mode"], boolean]>([
    [undefined, true],
    ["shadow", false],
    ["off", false],
    [() => "off", false],
    [() => undefined, true],
    [
      () => {
        throw new Error("no flag");
      },
      true,
    ],
  ])("is what the host says: %s", (mode, expected) => {
    expect(isTold(mode)).toBe(expected);
  });
});

describe("createStoreFleet", () => {
  it.each<Partial<StoreFleetOptions>>([
    { key: "short" },
    { key: 5 as never },
    { calls: 101 },
    { tenant: "a b" },
    { tenant: "" },
    { witness: "" },
    { heartbeatMs: 99 },
    { heartbeatMs: 3_600_001 },
    { deadlineMs: 0 },
    { mode: "loud" as never },
  ])("refuses %o", (options) => {
    expect(() => opens(options)).toThrow(expect.objectContaining({ code: "invalid-option" }));
  });

  it("names calls by a digest with the key, and sends nothing else that could be read", async () => {
    const sent: unknown[] = [];
    const names = async (own: string): Promise<string> => {
      const fleet = opens({
        key: own,
        store: (space) => {
          const store = createMemoryStore()(space);
          return {
            ...store,
            count(each) {
              sent.push(each);
              return store.count(each);
            },
          };
        },
      });
      tell(fleet.join({ worker: "ada", run: "secret" }), report(0));
      await fleet.flush();
      return (sent.at(-1) as { name: string }).name;
    };
    const [one, again, other] = [await names(key), await names(key), await names("another key, as long")];

    expect(one).toMatch(/^[\w-]{22}$/);
    expect(again).toBe(one);
    expect(other).not.toBe(one);
    expect(JSON.stringify(sent)).not.toMatch(/ada|secret|㐀/);
  });
});
