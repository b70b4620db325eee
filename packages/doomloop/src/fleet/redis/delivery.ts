import type { Announcements } from "./announcements.ts";
import type { Breaker } from "./breaker.ts";
import { countWords, readCountReply } from "./count-call.ts";
import type { DeadEnds } from "./dead-ends.ts";
import type { FleetClock } from "./fleet-clock.ts";
import type { FleetControl } from "./fleet-control.ts";
import type { FleetKeys } from "./fleet-keys.ts";
import type { ResolvedRedisOptions } from "./redis-fleet-options.ts";
import type { PendingCalls, ReportQueue } from "./report-queue.ts";
import { countScript } from "./scripts/count-script.ts";
import type { StoreFault, StoreLink } from "./store-link.ts";

/** Brings waiting reports to the store, together and in the background. */
export interface Delivery {
  /** Something was added to the queue. */
  nudge(): void;
  /** Tries everything that waits once. Never rejects. */
  flush(): Promise<void>;
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

interface Batch {
  readonly shard: number;
  readonly calls: PendingCalls[];
}

export function createDelivery(options: DeliveryOptions): Delivery {
  const { settings, queue, keys, clock, link, breaker, control, announcements, deadEnds, nonce } = options;
  const { flushMs, flushFingerprints, maxInFlight, maxDelayMs, windowMs, countAll } = settings;
  const counting = { windowMs, countAll, maxCalls: settings.maxCallsPerFingerprint, known: deadEnds.get };
  const underWay = new Set<Promise<boolean>>();
  let reportsUnderWay = 0;
  /** Fingerprints that have waited long enough to travel in a batch that is not full. */
  let due = 0;
  let timer: NodeJS.Timeout | undefined;
  let isPumping = false;
  let isClosed = false;

  const start = ({ shard, calls }: Batch): Promise<boolean> => {
    const reports = calls.reduce((sum, each) => sum + each.reports, 0);
    const epoch = control.epoch() ?? "";
    const names = calls.map(({ name }) => keys.calls(shard, epoch, name));
    const standing = { time: clock.storeTime(), now: clock.now(), ...counting, ...control.thresholds() };
    const begun = performance.now();
    reportsUnderWay += reports;
    const sending = link.run(countScript, names, nonce(), countWords(calls, standing)).then((answer) => {
      underWay.delete(sending);
      reportsUnderWay -= reports;
      options.onFlush(reports, performance.now() - begun, "fault" in answer ? answer.fault : undefined);
      // Cleared meanwhile: nobody wants to know of these any more.
      const isOver = control.epoch() !== epoch;
      if ("reply" in answer) {
        options.onDelivered(reports);
        if (!isOver) learn(answer.reply, calls);
      } else if (isOver) options.onLost(reports);
      else queue.putBack(shard, calls);
      return "reply" in answer;
    });
    underWay.add(sending);
    return sending;
  };

  const learn = (reply: readonly unknown[], calls: readonly PendingCalls[]): void => {
    const found = new Map(readCountReply(reply, calls, counting).map((deadEnd) => [deadEnd.name, deadEnd]));
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

  const take = (): Batch | undefined => queue.take(flushFingerprints, performance.now() - maxDelayMs);

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
      void start(batch).then((isFine) => {
        if (isFine) pump();
        else arm(flushMs);
      });
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
      await Promise.all(underWay);
      if (queue.fingerprints() === 0 || (control.epoch() === undefined && !(await control.pulse()))) return;
      let left = queue.fingerprints();
      const sendOn = async (): Promise<void> => {
        while (left > 0 && control.epoch() !== undefined) {
          const batch = take();
          if (batch === undefined) return;
          left -= batch.calls.length;
          if (!(await start(batch))) left = 0;
        }
      };
      await Promise.all(Array.from({ length: maxInFlight }, sendOn));
    },
    underWay: () => reportsUnderWay,
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
