import type { Fleet, FleetGlobalFinding } from "../fleet.ts";
import type { DeadEnds, Suspect } from "./dead-ends.ts";
import type { NameOf } from "./store-names.ts";

/** A dead end of the whole fleet, as people are told of it. Who made the calls, the store does not know. */
export function findingOf({ name, tool, calls, workers }: Suspect, windowMs: number): FleetGlobalFinding {
  return { fingerprint: name, tool, calls, workers, windowMs, workerNames: [] };
}

/** The dead ends that are known here: those of this process, with the names of its workers, and those of the whole fleet. */
export function allFindings(local: Fleet, deadEnds: DeadEnds, nameOf: NameOf, windowMs: number): FleetGlobalFinding[] {
  const here = local.findings().map((finding) => ({ ...finding, fingerprint: nameOf(finding.fingerprint) }));
  const own = new Set(here.map(({ fingerprint }) => fingerprint));
  const others = deadEnds.list().filter(({ name }) => !own.has(name) && deadEnds.found(name) !== undefined);
  return [...here, ...others.map((suspect) => findingOf(suspect, windowMs))].sort((a, b) => b.calls - a.calls);
}
