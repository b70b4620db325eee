import { createStoreFleet, type FleetStore } from "../../../packages/doomloop/src/fleet/index.ts";
import { createMemoryStore } from "../../../packages/doomloop/src/fleet/memory/memory-store.ts";
import { fingerprintOf } from "../bench-fleet.ts";
import { seededRandom, startVirtualTime } from "./virtual-time.ts";

/** What a store is asked while a thing that all processes need is down, and each fails the same call every two seconds. */
export interface OutageOutcome {
  readonly processes: number;
  /** Barren calls that the processes made in a second. */
  readonly callsPerSecond: number;
  /** Reports that reached the store: in the busiest second, in the first half minute, and in a second after that. */
  readonly peakReports: number;
  readonly firstReports: number;
  readonly laterReportsPerSecond: number;
  /** Heartbeats in a second: before the outage, and in its busiest second. */
  readonly beatsBefore: number;
  readonly peakBeats: number;
  readonly announcements: number;
  /**
   * Cores of one server: before the outage, in its busiest second, after its first half minute, and if every call were reported. Calculated
   * from what one heartbeat and one report cost (`REPORT_US`, `BEAT_US`).
   */
  readonly coresBefore: number;
  readonly coresAtPeak: number;
  readonly coresLater: number;
  readonly coresUndamped: number;
}

export interface OutageOptions {
  readonly processes: number;
  readonly seed: number;
  /** @default 5000 */
  readonly heartbeatMs?: number | undefined;
}

/** What `npm run bench fleet` says that a suspicion alone and a heartbeat cost. */
const REPORT_US = 70;
const BEAT_US = 40;

const STEP_MS = 2000;
const WARM_UP_MS = 20_000;
const FIRST_MS = 30_000;
const OUTAGE_MS = 60_000;
const SLICES = 100;

export async function simulateOutage({ processes, seed, heartbeatMs = 5000 }: OutageOptions): Promise<OutageOutcome> {
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
    const options = { key: "a secret of the bench", tenant: "bench", heartbeatMs, now: time.now };
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
    const callsPerSecond = (processes * 1000) / STEP_MS;
    const reportsIn = (second: number): number => asked.count.get(second) ?? 0;
    const beatsIn = (second: number): number => asked.beat.get(second) ?? 0;
    const seconds = Array.from({ length: all }, (_, second) => second);
    const beatsBefore = sum(asked.beat, -10, 0) / 10;
    const laterReportsPerSecond = sum(asked.count, first, all) / (all - first);
    const cores = (reports: number, beats: number): number => (reports * REPORT_US + beats * BEAT_US) / 1e6;
    return {
      ...{ processes, callsPerSecond, peakReports: Math.max(...seconds.map(reportsIn)) },
      ...{ firstReports: sum(asked.count, 0, first), laterReportsPerSecond, announcements: asked.announce },
      ...{ beatsBefore, peakBeats: Math.max(...seconds.map(beatsIn)), coresBefore: cores(0, beatsBefore) },
      coresAtPeak: Math.max(...seconds.map((second) => cores(reportsIn(second), beatsIn(second)))),
      coresLater: cores(laterReportsPerSecond, sum(asked.beat, first, all) / (all - first)),
      coresUndamped: cores(callsPerSecond, beatsBefore),
    };
  } finally {
    time.end();
  }
}
