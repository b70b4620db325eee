import type { RedisFleetObserver, FleetState as StateOfRedisFleet } from "doomloop/fleet";
import type { FleetObserver, FleetState, Telemetry } from "doomloop/telemetry";
import { expectTypeOf, it } from "vitest";

it("fits what a fleet over Redis reports about itself", () => {
  expectTypeOf<ReturnType<Telemetry["observeFleet"]>>().toExtend<RedisFleetObserver>();
  expectTypeOf<FleetState>().toEqualTypeOf<StateOfRedisFleet>();
  expectTypeOf<Parameters<RedisFleetObserver["onFlush"]>>().toEqualTypeOf<Parameters<FleetObserver["onFlush"]>>();
});
