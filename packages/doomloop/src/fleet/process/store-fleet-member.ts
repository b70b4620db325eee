import { safely } from "../../core/faults.ts";
import { toolLabel } from "../../core/identity/call-identity.ts";
import { type Digest, isDigest } from "../../core/identity/digest.ts";
import { type FleetWorker, resolveFleetWorker, worldOf } from "../fleet.ts";
import { memberOf } from "../fleet-evidence.ts";
import type { FleetMember, FleetReport } from "../fleet-member.ts";
import { reportName, shortHash } from "./fleet-names.ts";
import type { FleetParts } from "./store-fleet.ts";

/**
 * Creates a run's member of a fleet, which also reports to the `local` member. Throws a `DoomloopError` if a name is not
 * valid. The member's methods do not throw.
 */
export function createStoreFleetMember(
  who: FleetWorker,
  local: FleetMember,
  parts: FleetParts,
  onSuspicion: () => void,
): FleetMember {
  const { settings, nameOf, link, knownSuspects, mode, permits, suspicions, watch, worked, now } = parts;
  const { worker, run } = resolveFleetWorker(who);
  // Workers of two processes may share a name. Their calls must still count as different ones.
  const name = shortHash(JSON.stringify([settings.witness, worker, run]));

  /** A success is only worth sending if the fleet suspects the call. */
  const isSuspected = (fingerprint: Digest): boolean =>
    suspicions.hasTold(fingerprint) || (!knownSuspects.isEmpty() && knownSuspects.has(nameOf(fingerprint)));

  const isSettled = (fingerprint: Digest): boolean =>
    !knownSuspects.isEmpty() && knownSuspects.isSettled(nameOf(fingerprint), suspicions.hasTold(fingerprint));

  const take = ({ id, fingerprint, tool, isBarren }: FleetReport): void => {
    permits.active(name);
    if (!isDigest(fingerprint) || typeof id !== "string" || typeof tool !== "string") return;
    if (isBarren || settings.countAll) {
      takeBarren(fingerprint, toolLabel(tool), id);
    } else if (isBarren === false) takeSuccess(fingerprint);
  };

  const takeBarren = (fingerprint: Digest, tool: string, id: string): void => {
    if (isSettled(fingerprint)) {
      watch.spared(1);
      return;
    }
    watch.reported();
    suspicions.barren(fingerprint, tool, reportName(name, id));
    onSuspicion();
  };

  const takeSuccess = (fingerprint: Digest): void => {
    worked.set(fingerprint, now());
    if (!isSuspected(fingerprint)) return;
    suspicions.succeeded(fingerprint);
    knownSuspects.delete(nameOf(fingerprint));
    onSuspicion();
  };

  return memberOf({
    ...worldOf(who, settings.countAll),
    report(report) {
      if (mode.current() === "off") return;
      local.report(report);
      safely(() => take(report));
    },
    verdict(fingerprint) {
      if (mode.current() === "off") return undefined;
      const here = local.verdict(fingerprint);
      // While the store is away it cannot clear a suspect, so what it last said is not used.
      if (knownSuspects.isEmpty() || link.state() !== "connected" || !isDigest(fingerprint)) return here;
      const there = knownSuspects.deadEnd(nameOf(fingerprint));
      if (there === undefined || there.calls <= (here?.calls ?? 0)) return here;
      return { calls: there.calls, workers: there.workers, counted: "processes", windowMs: settings.windowMs };
    },
    mode: mode.current,
    looping() {
      permits.looping(name);
      mode.weigh();
    },
    mayStop: () => permits.mayStop(name),
  });
}
