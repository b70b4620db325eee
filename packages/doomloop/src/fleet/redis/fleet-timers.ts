import type { Delivery } from "./deliver-suspicions.ts";
import type { FleetParts } from "./redis-fleet.ts";
import { isOverdue } from "./store-link.ts";

/** The shortest time that a report waits, so that others can be sent with it. */
const FLUSH_MS = 250;

/** Decides when the store is asked. The timers do not keep the process alive. */
export function createFleetTimers(parts: FleetParts, beat: () => Promise<void>, deliver: Delivery) {
  const { settings, link, watch, mode, suspicions, permits } = parts;
  const { heartbeatMs, deadlineMs } = settings;
  let timer: NodeJS.Timeout | undefined;
  let turning: Promise<void> | undefined;
  let wakesAt = 0;
  let beatAt = 0;
  let isClosed = false;

  const hasWork = (): boolean => link.state() !== "away" && (suspicions.isWaiting() || permits.isAsking());

  const wake = (): void => {
    clearTimeout(timer);
    if (isClosed) return;
    const delayMs = hasWork() ? FLUSH_MS * (1 + Math.random() / 2) : Math.max(0, beatAt - performance.now());
    wakesAt = performance.now() + delayMs;
    timer = setTimeout(() => {
      turning = turn().finally(() => {
        turning = undefined;
        wake();
      });
    }, delayMs).unref();
  };

  const turn = async (): Promise<void> => {
    if (hasWork()) await deliverNext();
    if (performance.now() >= beatAt || permits.isAsking()) await beatNow();
  };

  /** Sends the first of the waiting suspicions. True if the store took them. */
  const deliverNext = async (): Promise<boolean> => {
    const taken = suspicions.take();
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
    while (await deliverNext());
  };

  const flush = async (): Promise<void> => {
    await deliverAll();
    if (!suspicions.isWaiting()) await beatNow();
  };

  wake();
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
