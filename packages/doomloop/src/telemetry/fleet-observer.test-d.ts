import type { Telemetry } from "doomloop/telemetry";
import { expectTypeOf, it } from "vitest";
import type { FleetState as StateOfStoreFleet, StoreFleetObserver } from "../fleet/store-fleet-options.ts";
import type { FleetObserver, FleetState } from "./fleet-observer.ts";

it("fits what a fleet over Redis reports about itself", () => {
  expectTypeOf<ReturnType<Telemetry["observeFleet"]>>().toExtend<StoreFleetObserver>();
  expectTypeOf<FleetState>().toEqualTypeOf<StateOfStoreFleet>();
  expectTypeOf<Parameters<StoreFleetObserver["onFlush"]>>().toEqualTypeOf<Parameters<FleetObserver["onFlush"]>>();
});
