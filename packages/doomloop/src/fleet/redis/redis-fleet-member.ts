import { safely } from "../../core/faults.ts";
import type { FleetMember, FleetReport } from "../../core/fleet-member.ts";
import { toolLabel } from "../../core/identity/call-identity.ts";
import { type Digest, isDigest } from "../../core/identity/digest.ts";
import type { FleetWorker } from "../fleet.ts";
import { resolveFleetWorker } from "../fleet-worker.ts";
import type { FleetParts } from "./fleet-parts.ts";
import { reportName, shortHash } from "./store-names.ts";

/** Creates a run's side of a fleet, besides the `local` one; throws a `DoomloopError` for a name that is none. Its methods do not throw. */
export function createRedisFleetMember(
  who: FleetWorker,
  local: FleetMember,
  parts: FleetParts,
  onSuspicion: () => void,
): FleetMember {
  const { settings, nameOf, link, deadEnds, mode, permits, suspicions, watch } = parts;
  const { worker, run } = resolveFleetWorker(who);
  // Two processes whose workers have the same name make different calls.
  const name = shortHash(JSON.stringify([settings.witness, worker, run]));

  /** Nobody wants to hear of a success, unless it is of what the fleet suspects. */
  const isSuspected = (fingerprint: Digest): boolean =>
    suspicions.hasTold(fingerprint) || (!deadEnds.isEmpty() && deadEnds.get(nameOf(fingerprint)) !== undefined);

  const take = ({ id, fingerprint, tool, isBarren }: FleetReport): void => {
    if (!isDigest(fingerprint) || typeof id !== "string" || typeof tool !== "string") return;
    permits.active(name);
    if (isBarren || settings.countAll) {
      watch.reported();
      suspicions.barren(fingerprint, toolLabel(tool), reportName(name, id));
    } else if (isBarren === false && isSuspected(fingerprint)) {
      suspicions.succeeded(fingerprint);
      deadEnds.delete(nameOf(fingerprint));
    } else return;
    onSuspicion();
  };

  return {
    report(report) {
      if (mode.current() === "off") return;
      local.report(report);
      safely(() => take(report));
    },
    verdict(fingerprint) {
      if (mode.current() === "off") return undefined;
      const here = local.verdict(fingerprint);
      // What the store said is not repeated while it cannot take it back.
      if (deadEnds.isEmpty() || link.state() !== "connected" || !isDigest(fingerprint)) return here;
      const there = deadEnds.found(nameOf(fingerprint));
      if (there === undefined || there.calls <= (here?.calls ?? 0)) return here;
      return { calls: there.calls, workers: there.workers, windowMs: settings.windowMs };
    },
    mode: mode.current,
    looping() {
      permits.looping(name);
      mode.weigh();
    },
    mayStop: () => permits.mayStop(name),
  };
}
