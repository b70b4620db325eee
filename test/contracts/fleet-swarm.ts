import type { Fleet, FleetOptions } from "doomloop/fleet";
import { fingerprint, manualClock } from "./fleet-reports.ts";

/** Makes a fleet that knows nothing and shares nothing with those made before. */
export type CreateFleet = (options: FleetOptions) => Fleet | Promise<Fleet>;

/** Makes a fleet with two workers in it, on a clock of its own. */
export type CreateSwarm = ReturnType<typeof swarmOf>;

export function swarmOf(create: CreateFleet) {
  return async (options: FleetOptions = {}) => {
    const clock = manualClock();
    const fleet = await create({ now: clock.now, ...options });
    const verdict = async (of = 0) => {
      await fleet.flush();
      return fleet.join({ worker: "listener" }).verdict(fingerprint(of));
    };
    return { clock, fleet, verdict, one: fleet.join({ worker: "one" }), two: fleet.join({ worker: "two" }) };
  };
}
