import type { Announcements } from "./announcements.ts";
import type { Breaker } from "./breaker.ts";
import { countSettings, countText, readCountReply, type Thresholds } from "./count-call.ts";
import type { DeadEnd, DeadEnds } from "./dead-ends.ts";
import type { FleetClock } from "./fleet-clock.ts";
import type { FleetControl } from "./fleet-control.ts";
import type { FleetKeys } from "./fleet-keys.ts";
import type { PendingCalls } from "./pending-calls.ts";
import type { ResolvedRedisOptions } from "./redis-fleet-options.ts";
import type { ReportBatch, ReportQueue } from "./report-queue.ts";
import { countScript } from "./scripts/count-script.ts";
import type { StoreFault, StoreLink } from "./store-link.ts";

/** Brings waiting reports to the store, together and in the background. */
export interface Delivery {
  /** Something was added to the queue. */
  nudge(): void;
  /**
   * Tries everything that waits once, after waiting for a connection that is being made. False if something could not be delivered.
   * Never rejects.
   */
  flush(): Promise<boolean>;
  /** Reports on their way. */
  underWay(): number;
  close(): void;
}

export interface DeliveryOptions {
  readonly settings: ResolvedRedisOptions;
  readonly queue: ReportQueue;
  readonly keys: FleetKeys;
  readonly clock: FleetClock;
  readonly link: StoreLink;
  readonly breaker: Breaker;
  readonly control: FleetControl;
  readonly announcements: Announcements;
  readonly deadEnds: DeadEnds;
  nonce(): string;
  onDelivered(reports: number): void;
  /** Told of every batch that was sent, with what went wrong if anything did. */
  onFlush(reports: number, durationMs: number, fault: StoreFault | undefined): void;
  onLost(reports: number): void;
  /** A dead end was found, or is none any more: the others should know soon. */
  onNews(): void;
}

/** Calls' deadlines that a flush waits for a connection: with the call that then fails, it takes three. */
const CONNECTION_DEADLINES = 2;

/** How long a call that nobody waits for any more may lie around in a network, or before a server that is busy. */
const MAX_JOURNEY_MS = 5_000;

/** Told when a batch has arrived, or has not. */
type OnOver = (isFine: boolean) => void;

export function createDelivery(options: DeliveryOptions): Delivery {
  const { settings, queue, keys, clock, link, breaker, control, announcements, deadEnds, nonce } = options;
  const { flushMs, flushFingerprints, maxInFlight, maxDelayMs, windowMs, countAll } = settings;
  // What has waited for as long as it may is sent once more, and may take its time.
  const lateMs = Math.min(windowMs, maxDelayMs + settings.deadlineMs + MAX_JOURNEY_MS);
  const counting = { windowMs, countAll, maxCalls: settings.maxCallsPerFingerprint, lateMs };
  /** With those who wait for it to be over. */
  const underWay = new Map<ReportBatch, OnOver[] | undefined>();
  let reportsUnderWay = 0;
  /** Fingerprints that have waited long enough to travel in a batch that is not full. */
  let due = 0;
  let timer: NodeJS.Timeout | undefined;
  let isPumping = false;
  let isClosed = false;
  let thresholds: Thresholds | undefined;
  let settingsWord = "";

  const words = (calls: readonly PendingCalls[]): string[] => {
    if (thresholds !== control.thresholds()) {
      thresholds = control.thresholds();
      settingsWord = countSettings({ ...counting, ...thresholds });
    }
    return [nonce(), clock.storeTime(), settingsWord, countText(calls, clock.now(), deadEnds.get)];
  };

  const start = (batch: ReportBatch, onOver: OnOver): void => {
    const { shard, calls, reports } = batch;
    const epoch = control.epoch() ?? "";
    const prefix = keys.calls(shard, epoch);
    const names = calls.map(({ name }) => prefix + name);
    underWay.set(batch, undefined);
    reportsUnderWay += reports;
    link.run(countScript, names, words(calls), (answer, tookMs) => {
      const waiting = underWay.get(batch);
      underWay.delete(batch);
      reportsUnderWay -= reports;
      const fault = "fault" in answer ? answer.fault : undefined;
      options.onFlush(reports, tookMs, fault);
      // Cleared meanwhile: nobody wants to know of these any more.
      const isOver = control.epoch() !== epoch;
      if ("reply" in answer) {
        options.onDelivered(reports);
        if (!isOver) learn(answer.reply, calls);
      } else if (isOver) options.onLost(reports);
      else {
        queue.putBack(batch);
        arm(flushMs);
      }
      const isFine = fault === undefined;
      onOver(isFine);
      if (waiting !== undefined) for (const done of waiting) done(isFine);
    });
  };

  /** Resolves when all that is under way now is over, whatever is sent meanwhile. */
  const arrivals = (): Promise<readonly boolean[]> => {
    const one = ([batch, waiting = []]: [ReportBatch, OnOver[] | undefined]): Promise<boolean> => {
      underWay.set(batch, waiting);
      return new Promise((done) => waiting.push(done));
    };
    return Promise.all([...underWay].map(one));
  };

  const learn = (reply: readonly unknown[], calls: readonly PendingCalls[]): void => {
    const found = new Map<string, DeadEnd>();
    for (const deadEnd of readCountReply(reply, calls, windowMs, deadEnds.get)) found.set(deadEnd.name, deadEnd);
    for (const { name } of calls) {
      const deadEnd = found.get(name);
      if (deadEnd === undefined) {
        deadEnds.delete(name);
        announcements.cleared(name);
      } else {
        deadEnds.set(deadEnd);
        announcements.found(deadEnd);
      }
    }
    if (announcements.isUrgent()) options.onNews();
  };

  const take = (): ReportBatch | undefined => queue.take(flushFingerprints, performance.now() - maxDelayMs);

  const arm = (ms: number): void => {
    if (timer !== undefined || isClosed) return;
    timer = setTimeout(() => {
      timer = undefined;
      due = queue.fingerprints();
      pump();
    }, ms).unref();
  };

  /** A store that was away is tried with a pulse: nothing is risked with it. */
  const probe = async (): Promise<void> => {
    if (await control.pulse()) pump();
    else arm(Math.max(flushMs, breaker.dueInMs()));
  };

  const onPumped = (isFine: boolean): void => {
    if (isFine) pump();
  };

  const pump = (): void => {
    if (isClosed) return;
    while (
      underWay.size < maxInFlight &&
      (queue.fingerprints() >= flushFingerprints || (due > 0 && queue.fingerprints() > 0))
    ) {
      if (breaker.state() !== "closed" || control.epoch() === undefined) {
        if (breaker.mayTry()) void probe();
        else arm(Math.max(flushMs, breaker.dueInMs()));
        return;
      }
      const batch = take();
      if (batch === undefined) break;
      due -= batch.calls.length;
      start(batch, onPumped);
    }
    if (queue.fingerprints() > 0) arm(flushMs);
  };

  return {
    nudge() {
      if (queue.fingerprints() < flushFingerprints) arm(flushMs);
      else if (!isPumping) {
        isPumping = true;
        setImmediate(() => {
          isPumping = false;
          pump();
        });
      }
    },
    async flush() {
      const until = performance.now() + CONNECTION_DEADLINES * settings.deadlineMs;
      await arrivals();
      if (queue.fingerprints() === 0) {
        await link.ready(until);
        return true;
      }
      if (!(await control.meet(until))) return false;
      let left = queue.fingerprints();
      let isAllFine = true;
      const sendOn = (done: () => void): void => {
        const batch = left > 0 && control.epoch() !== undefined ? take() : undefined;
        if (batch === undefined) {
          done();
          return;
        }
        left -= batch.calls.length;
        start(batch, (isFine) => {
          if (!isFine) {
            left = 0;
            isAllFine = false;
          }
          sendOn(done);
        });
      };
      await Promise.all(Array.from({ length: maxInFlight }, () => new Promise<void>(sendOn)));
      // While we waited for the connection, the timer may have sent some.
      const others = await arrivals();
      return isAllFine && others.every(Boolean);
    },
    underWay: () => reportsUnderWay,
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
