import { createMemoryStore, createStoreFleet, type FleetStore } from "../../../packages/doomloop/src/fleet/index.ts";
import { fingerprintOf } from "../bench-fleet.ts";
import { seededRandom, startVirtualTime } from "./virtual-time.ts";

/** What a store is asked while a thing that all processes need is down, and each fails the same call every two seconds. */
export interface OutageOutcome {
  readonly processes: number;
  /** Barren calls that the processes made in a second. */
  readonly callsPerSecond: number;
  /** Reports that reached the store: in the busiest second, in the first ten seconds, and in the last ones. */
  readonly peakReports: number;
  readonly firstReports: number;
  readonly laterReportsPerSecond: number;
  /** Heartbeats in a second, before the outage and in its first ten seconds. */
  readonly beatsBefore: number;
  readonly beatsDuring: number;
  readonly announcements: number;
}

const STEP_MS = 2000;
const WARM_UP_MS = 20_000;
const FIRST_MS = 10_000;
const OUTAGE_MS = 60_000;
const SLICES = 100;

export async function simulateOutage(processes: number, seed: number): Promise<OutageOutcome> {
  const random = seededRandom(seed);
  const time = startVirtualTime(random);
  try {
    const asked = { count: new Map<number, number>(), beat: new Map<number, number>(), announce: 0 };
    const note = (times: Map<number, number>): void => {
      const second = Math.floor((time.now() - WARM_UP_MS) / 1000);
      times.set(second, (times.get(second) ?? 0) + 1);
    };
    const store = createMemoryStore(time.now);
    const counting = (inner: FleetStore): FleetStore => ({
      ...inner,
      count(report) {
        note(asked.count);
        return inner.count(report);
      },
      beat(question) {
        note(asked.beat);
        return inner.beat(question);
      },
      announce(told) {
        asked.announce += told.length;
        return inner.announce(told);
      },
    });
    const options = { key: "a secret of the bench", tenant: "bench", now: time.now };
    const members = Array.from({ length: processes }, (_, at) => {
      const fleet = createStoreFleet({ ...options, store: (space) => counting(store.open(space)), witness: `${at}` });
      return fleet.join({ worker: "worker", run: "1" });
    });
    let calls = 0;
    const step = (slice: number): void => {
      const isDown = time.now() >= WARM_UP_MS;
      for (let at = slice; at < processes; at += SLICES) {
        const fingerprint = isDown ? fingerprintOf(0) : fingerprintOf(1 + at);
        members[at]!.report({ id: `${calls++}`, fingerprint, tool: "fetch", isBarren: isDown });
      }
      time.at(time.now() + STEP_MS / SLICES, () => step((slice + 1) % SLICES));
    };
    step(0);
    await time.runUntil(WARM_UP_MS + OUTAGE_MS);
    const sum = (times: Map<number, number>, from: number, to: number): number =>
      [...times].reduce((total, [second, count]) => (second >= from && second < to ? total + count : total), 0);
    const [first, all] = [FIRST_MS / 1000, OUTAGE_MS / 1000];
    return {
      ...{ processes, callsPerSecond: (processes * 1000) / STEP_MS, peakReports: Math.max(...asked.count.values()) },
      ...{ firstReports: sum(asked.count, 0, first), announcements: asked.announce },
      laterReportsPerSecond: sum(asked.count, first, all) / (all - first),
      ...{ beatsBefore: sum(asked.beat, -10, 0) / 10, beatsDuring: sum(asked.beat, 0, first) / first },
    };
  } finally {
    time.end();
  }
}
