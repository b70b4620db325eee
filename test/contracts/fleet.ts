import { describe } from "vitest";
import { propertyRuns } from "../property-runs.ts";
import { fleetCounts } from "./fleet-counts.ts";
import { fleetDeadEnds } from "./fleet-dead-ends.ts";
import { fleetProperties } from "./fleet-properties.ts";
import { fleetRefusals } from "./fleet-refusals.ts";
import { type CreateFleet, swarmOf } from "./fleet-swarm.ts";
import { fleetWindow } from "./fleet-window.ts";

export { fingerprint, manualClock, report, reports, tell } from "./fleet-reports.ts";

/**
 * What every fleet does, wherever its counts live.
 *
 * `create` makes a fleet that knows nothing and shares nothing with those made before. `runs` is how often each property
 * is tried: less for a store that is slow to make.
 */
export function fleetContract(name: string, create: CreateFleet, runs: number = propertyRuns()): void {
  const swarm = swarmOf(create);

  describe(`${name}, as a fleet`, () => {
    fleetCounts(swarm);
    fleetWindow(swarm);
    fleetDeadEnds(swarm);
    fleetRefusals(swarm);
    fleetProperties(create, runs);
  });
}
