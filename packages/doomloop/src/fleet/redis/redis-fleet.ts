import { randomBytes } from "node:crypto";
import type { FleetMode } from "../../core/fleet-member.ts";
import { safely } from "../../core/safely.ts";
import type { Fleet, FleetGlobalFinding } from "../fleet.ts";
import { createAnnouncements } from "./announcements.ts";
import { type BreakerState, createBreaker } from "./breaker.ts";
import { createDeadEnds, type DeadEnd, isFound } from "./dead-ends.ts";
import { createDelivery } from "./delivery.ts";
import { createFingerprintNames } from "./fingerprint-names.ts";
import { createFleetClock } from "./fleet-clock.ts";
import { createFleetControl } from "./fleet-control.ts";
import { fleetKeys } from "./fleet-keys.ts";
import type { FleetNotice } from "./fleet-notice.ts";
import { createPulseTimer } from "./pulse-timer.ts";
import { commandsOf } from "./redis-client.ts";
import { createRedisFleetMember } from "./redis-fleet-member.ts";
import { type RedisFleetOptions, resolveRedisOptions } from "./redis-fleet-options.ts";
import { createReportQueue } from "./report-queue.ts";
import { createRunCensus } from "./run-census.ts";
import { pulseScript } from "./scripts/pulse-script.ts";
import type { Script } from "./scripts/script.ts";
import { createStoreLink, type StoreFault } from "./store-link.ts";

/** What a fleet has done so far in this process. Every report is in one of `delivered`, `lost`, `queued` and `underWay`. */
export interface RedisFleetStats {
  readonly store: BreakerState;
  readonly mode: FleetMode;
  readonly reported: number;
  readonly delivered: number;
  /** Given up: there were too many, or the store was away for too long. The fleet has counted too little by these. */
  readonly lost: number;
  readonly queued: number;
  readonly underWay: number;
  /** Batches of reports sent. */
  readonly flushes: number;
  /** Questions for switches and the dead ends of others. */
  readonly pulses: number;
  /** Calls to the store that went wrong, all told; the next two are among them. */
  readonly faults: number;
  readonly timeouts: number;
  readonly wrongReplies: number;
  /** Connections given up. */
  readonly droppedSockets: number;
  /** How long the latest call to the store took. */
  readonly latencyMs: number;
  /** Of the whole fleet, within a window, as last heard. */
  readonly runs: { readonly active: number; readonly looping: number; readonly stopped: number };
}

/** A fleet whose counts live in Redis or Valkey. */
export interface RedisFleet extends Fleet {
  stats(): RedisFleetStats;
  /**
   * Delivers what waits, and stops; what the store does not take within three deadlines is lost. A client that is still connecting is
   * waited for. It stays open: it is the caller's. Needed before a process can end.
   */
  close(): Promise<void>;
}

/** Creates one process's side of a fleet over Redis or Valkey. Throws a `DoomloopError` for options that make no sense. */
export function createRedisFleet(options: RedisFleetOptions): RedisFleet {
  const settings = resolveRedisOptions(options);
  const { tenant, windowMs, shards, maxQueued, maxCallsPerFingerprint, deadlineMs } = settings;
  const commands = commandsOf(options.client, options.copyClient);
  const clock = createFleetClock(options.now);
  const keys = fleetKeys(tenant);
  const names = createFingerprintNames(settings.key, tenant);
  const deadEnds = createDeadEnds(clock.now);
  const announcements = createAnnouncements(clock.now, windowMs);
  const census = createRunCensus(clock.now, windowMs);
  const caller = randomBytes(6).toString("base64url");
  const calls = { flushes: 0, pulses: 0, faults: 0, timeouts: 0, wrongReplies: 0, droppedSockets: 0, latencyMs: 0 };
  let [reported, delivered, lost, nonces] = [0, 0, 0, 0];
  let awaySince: number | undefined;

  const nonce = (): string => `${caller}${nonces++}`;
  const onLost = (reports: number): void => {
    lost += reports;
    safely(() => options.observer?.onFlush({ durationMs: 0, reports, outcome: "dropped" }));
  };
  const notify = (notice: FleetNotice): void => {
    safely(() => options.onNotice?.(notice));
    if (notice.kind === "mode") tellState();
  };
  const tellState = (): void => {
    const mode = control.mode();
    const store = awaySince === undefined ? "connected" : "degraded";
    safely(() => options.observer?.onState(mode === "on" ? store : mode));
  };

  const breaker = createBreaker({
    failures: settings.breakerFailures,
    maxProbeMs: settings.maxProbeMs,
    now: () => performance.now(),
    random: Math.random,
  });
  const onCall = (script: Script, tookMs: number, fault: StoreFault | undefined): void => {
    calls[script === pulseScript ? "pulses" : "flushes"]++;
    calls.latencyMs = tookMs;
    if (fault !== undefined) calls.faults++;
    if (fault?.kind === "timeout") calls.timeouts++;
    if (fault?.kind === "wrong-reply") calls.wrongReplies++;
    if (breaker.state() !== "closed" && awaySince === undefined) {
      awaySince = performance.now();
      notify({ kind: "store-away", reason: fault?.reason ?? "" });
    } else if (breaker.state() === "closed" && awaySince !== undefined) {
      const awayMs = Math.round(performance.now() - awaySince);
      awaySince = undefined;
      notify({ kind: "store-back", awayMs });
    }
    tellState();
  };
  const link = createStoreLink({ commands, breaker, deadlineMs, onCall, onRenewed: () => calls.droppedSockets++ });
  const queue = createReportQueue({ shards, maxReports: maxQueued, maxCalls: maxCallsPerFingerprint, onLost });
  const onFresh = (deadEnd: DeadEnd): void => {
    safely(() => options.onFinding?.(toFinding(deadEnd)));
  };
  const shared = { settings, keys, clock, link, announcements, deadEnds, nonce };
  const control = createFleetControl({ ...shared, caller, census, notify, onFresh });
  const pulse = createPulseTimer({
    ...{ settings, control, breaker },
    // A copy of the client that nobody uses would keep the process from ending.
    onIdle: commands.close,
  });
  const onDelivered = (reports: number): void => {
    delivered += reports;
  };
  const onFlush = (reports: number, durationMs: number, fault: StoreFault | undefined): void => {
    const outcome = fault === undefined ? "delivered" : fault.kind === "timeout" ? "timeout" : "failed";
    safely(() => options.observer?.onFlush({ durationMs, reports, outcome }));
  };
  const delivery = createDelivery({
    ...shared,
    queue,
    breaker,
    control,
    onDelivered,
    onFlush,
    onLost,
    onNews: pulse.hurry,
  });

  const toFinding = ({ name, tool, calls, workers, workerNames }: DeadEnd): FleetGlobalFinding => ({
    fingerprint: name,
    tool,
    calls,
    workers,
    windowMs,
    workerNames,
  });

  const flush = async (): Promise<void> => {
    const { faults } = calls;
    // A store that did not answer is not asked anything else: whoever waits gets an end within three deadlines.
    const isAnswering = (): boolean => calls.faults === faults;
    if (await delivery.flush()) await control.pulse();
    // One that was under way did not know of the latest.
    if (isAnswering() && (announcements.isWaiting() || control.epoch() === undefined)) await control.pulse();
  };

  const serving = { settings, clock, names, deadEnds, census, control, queue, delivery, pulse };
  const isAway = (): boolean => awaySince !== undefined;
  const onReported = (): void => {
    reported++;
  };

  return {
    join: (who) => createRedisFleetMember(who, { ...serving, isAway, onReported }),
    findings: () =>
      deadEnds
        .list()
        .filter((deadEnd) => isFound(deadEnd, control.thresholds()))
        .map(toFinding)
        .sort((one, other) => other.calls - one.calls),
    clear() {
      lost += queue.reports();
      queue.clear();
      control.clear();
      pulse.hurry();
    },
    flush,
    stats: () => ({
      store: breaker.state(),
      mode: control.mode(),
      ...{ reported, delivered, lost, queued: queue.reports(), underWay: delivery.underWay() },
      ...calls,
      runs: control.runs(),
    }),
    async close() {
      await flush();
      delivery.close();
      const left = queue.reports();
      queue.clear();
      if (left > 0) onLost(left);
      pulse.close();
      commands.close();
      safely(() => options.observer?.onState("off"));
    },
  };
}
