import type { DeadEnds } from "./dead-ends.ts";
import type { FleetKeys } from "./fleet-keys.ts";
import type { ModeOfFleet } from "./fleet-mode.ts";
import type { FleetWatch } from "./fleet-watch.ts";
import type { ResolvedRedisOptions } from "./redis-fleet-options.ts";
import type { RunPermits } from "./run-permits.ts";
import type { StoreLink } from "./store-link.ts";
import type { NameOf } from "./store-names.ts";
import type { Suspicions } from "./suspicions.ts";

/** What one process's side of a fleet is made of. */
export interface FleetParts {
  readonly settings: ResolvedRedisOptions;
  readonly keys: FleetKeys;
  readonly nameOf: NameOf;
  readonly link: StoreLink;
  readonly watch: FleetWatch;
  readonly deadEnds: DeadEnds;
  readonly suspicions: Suspicions;
  readonly permits: RunPermits;
  readonly mode: ModeOfFleet;
}
