import type { Delivery } from "./deliver-suspicions.ts";
import type { FleetParts } from "./store-fleet.ts";
import { isOverdue } from "./store-link.ts";

/** The shortest time that a report waits, so that others can be sent with it, and the shortest time between two turns. */
const FLUSH_MS = 250;

/** Decides when the store is asked. The timers do not keep the process alive. */
export function createFleetTimers(parts: FleetParts, beat: () => Promise<void>, deliver: Delivery) {
  const { settings, link, watch, mode, suspicions, permits, knownSuspects } = parts;
  const { heartbeatMs, deadlineMs } = settings;
  let timer: NodeJS.Timeout | undefined;
  let turning: Promise<void> | undefined;
  let wakesAt = 0;
  let beatAt = 0;
  let isClosed = false;

  /** While the fleet is off, no run is stopped. */
  const isAsking = (): boolean => permits.isAsking() && mode.current() !== "off";
  /** How long until there is something to send; Infinity while there is nobody to send it to. */
  const untilWorkMs = (): number => {
    if (link.state() === "away") return Infinity;
    return isAsking() ? 0 : suspicions.untilDueMs();
  };
  /** Dead ends that others may object to are asked about when their time is over, and not only at the next beat. */
  const untilBeatMs = (): number => {
    const plannedMs = Math.max(0, beatAt - performance.now());
    return link.state() === "connected" ? Math.min(plannedMs, knownSuspects.untilAskedMs()) : plannedMs;
  };

  const wake = (leastMs = Math.min(FLUSH_MS, heartbeatMs) * (1 + Math.random() / 2)): void => {
    clearTimeout(timer);
    if (isClosed) return;
    const delayMs = Math.max(leastMs, Math.min(untilWorkMs(), untilBeatMs()));
    wakesAt = performance.now() + delayMs;
    timer = setTimeout(() => {
      turning = turn().finally(() => {
        turning = undefined;
        wake();
      });
    }, delayMs).unref();
  };

  const turn = async (): Promise<void> => {
    if (untilWorkMs() === 0) await deliverNext(false);
    if (untilBeatMs() === 0 || isAsking()) await beatNow();
  };

  /** Sends the first of the waiting suspicions. True if the store took them. */
  const deliverNext = async (all: boolean): Promise<boolean> => {
    const taken = suspicions.take(all);
    const isTaken = taken.length > 0 && (await deliver(taken)) === undefined;
    watch.tellState(mode.current(), link.state());
    return isTaken;
  };

  const beatNow = async (): Promise<void> => {
    await beat();
    watch.tellState(mode.current(), link.state());
    beatAt = performance.now() + (link.pauseMs() || heartbeatMs * (0.8 + 0.4 * Math.random()));
  };

  const deliverAll = async (): Promise<void> => {
    await turning;
    while (await deliverNext(true));
  };

  const flush = async (): Promise<void> => {
    await deliverAll();
    if (suspicions.reports() === 0 || suspicions.isHeld()) await beatNow();
  };

  wake(0);
  return {
    /** Something is waiting to be sent: schedules a delivery, which takes along what comes meanwhile. */
    soon(): void {
      if (isClosed) suspicions.drop();
      else if (turning === undefined && wakesAt > performance.now() + 2 * FLUSH_MS) wake();
    },
    /** Sends everything that waits, then reads the news. Ends early if the store does not answer. */
    flush: (): Promise<void> => (isClosed ? Promise.resolve() : flush()),
    /** The store is back: a random delay spreads out the processes that return to it. */
    back(): void {
      beatAt = performance.now() + heartbeatMs * Math.random();
      wake();
    },
    /** Makes the last delivery, for at most one deadline. */
    async close(): Promise<void> {
      if (isClosed) return;
      isClosed = true;
      clearTimeout(timer);
      await isOverdue(deliverAll(), deadlineMs);
    },
  };
}
