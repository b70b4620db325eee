import type { FleetMember, FleetReport, FleetVerdict } from "../../core/fleet-member.ts";
import { type Digest, isDigest } from "../../core/identity/digest.ts";
import { toolLabel } from "../../core/identity/tool-label.ts";
import type { FleetWorker } from "../fleet.ts";
import { resolveFleetWorker } from "../fleet-worker.ts";
import { travellingName } from "./count-call.ts";
import { type DeadEnds, isFound } from "./dead-ends.ts";
import type { Delivery } from "./delivery.ts";
import { type FingerprintNames, reportName, runName, shardOf } from "./fingerprint-names.ts";
import type { FleetClock } from "./fleet-clock.ts";
import type { FleetControl } from "./fleet-control.ts";
import type { PulseTimer } from "./pulse-timer.ts";
import type { ResolvedRedisOptions } from "./redis-fleet-options.ts";
import type { ReportQueue } from "./report-queue.ts";
import type { RunCensus } from "./run-census.ts";

export interface RedisFleetMemberOptions {
  readonly settings: ResolvedRedisOptions;
  readonly clock: FleetClock;
  readonly names: FingerprintNames;
  readonly deadEnds: DeadEnds;
  readonly census: RunCensus;
  readonly control: FleetControl;
  readonly queue: ReportQueue;
  readonly delivery: Delivery;
  readonly pulse: PulseTimer;
  /** Whether the store does not answer. */
  isAway(): boolean;
  onReported(): void;
}

/**
 * Creates a run's side of a fleet; throws a `DoomloopError` for a name that is none. Its methods do not throw: a report that cannot
 * be read is not counted.
 */
export function createRedisFleetMember(who: FleetWorker, options: RedisFleetMemberOptions): FleetMember {
  const { settings, clock, names, deadEnds, census, control, queue, delivery, pulse, isAway, onReported } = options;
  const { windowMs, countAll, shards } = settings;
  const from = resolveFleetWorker(who);
  const worker = travellingName(from.worker);
  const run = runName(from);

  const take = ({ id, fingerprint, tool, isBarren }: FleetReport): void => {
    if (control.mode() === "off") return;
    if (!isDigest(fingerprint) || typeof id !== "string" || typeof tool !== "string") return;
    const at = clock.now();
    census.active(run, at);
    if (!countAll && isBarren === undefined) return;
    const name = names.nameOf(fingerprint);
    onReported();
    queue.add({
      shard: shardOf(name, shards),
      name,
      tool: toolLabel(tool),
      worker,
      call: run + reportName(id),
      kind: isBarren ? "barren" : countAll ? "other" : "success",
      at,
      waitsSince: clock.steady(at),
    });
    delivery.nudge();
  };

  const verdictOn = (fingerprint: Digest): FleetVerdict | undefined => {
    if (deadEnds.isEmpty() || isAway() || control.mode() === "off" || !isDigest(fingerprint)) return undefined;
    const deadEnd = deadEnds.get(names.nameOf(fingerprint));
    if (deadEnd === undefined || !isFound(deadEnd, control.thresholds())) return undefined;
    return { calls: deadEnd.calls, workers: deadEnd.workers, windowMs };
  };

  return {
    report(report) {
      pulse.touch();
      try {
        take(report);
      } catch {
        // It is not counted.
      }
    },
    verdict(fingerprint) {
      pulse.touch();
      try {
        return verdictOn(fingerprint);
      } catch {
        return undefined;
      }
    },
    mode() {
      pulse.touch();
      return control.mode();
    },
    looping() {
      try {
        census.looping(run);
      } catch {
        // The caller's clock is at fault: nobody hears of it.
      }
    },
    mayStop() {
      // Nobody can be asked: the run's own evidence decides, as without a fleet.
      if (isAway() || control.epoch() === undefined) return true;
      if (census.mayStop(run)) return true;
      pulse.hurry();
      return false;
    },
  };
}
