import { createGuard } from "doomloop";
import { createRedisFleet, type RedisClient, type RedisFleetOptions, type StoreFleet } from "doomloop/fleet";
import { call, failure, result, user } from "../../builders.ts";

/** The workers' key. */
export const key = "the key of this deployment";

/** Several processes that share a store, and what their agents do. */
export interface StuckFleet {
  readonly fleets: readonly StoreFleet[];
  /** Each process makes a call this often and fails. */
  fail(calls: number, tool: string, args: unknown): void;
  /** One process makes a call that succeeds. */
  succeed(tool: string, args: unknown): void;
  /** Resolves when everything is in the store. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

/** Plays several processes in one. */
export function createStuckFleet(
  client: RedisClient,
  processes: number,
  options: Partial<RedisFleetOptions> = {},
): StuckFleet {
  const fleets = Array.from({ length: processes }, (_, at) =>
    createRedisFleet({ client, key, witness: `process ${at}`, deadlineMs: 30_000, confirmMs: 0, ...options }),
  );
  // The same names in every run of the tests: for a few names in a thousand, a HyperLogLog counts one less.
  const guards = fleets.map((fleet, at) =>
    createGuard({ fleet: fleet.join({ worker: `agent ${at}`, world: "here" }) }),
  );
  const settle = async () => {
    for (const fleet of fleets) await fleet.flush();
  };
  return {
    ...{ fleets, settle },
    fail(calls, tool, args) {
      for (const guard of guards) {
        for (let at = 0; at < calls; at++) {
          // The user speaks, so that no guard sees a loop by itself.
          for (const event of [user(), call(tool, args), failure("no such page")]) guard.observe(event);
        }
      }
    },
    succeed(tool, args) {
      for (const event of [user(), call(tool, args), result("here it is")]) guards[0]!.observe(event);
    },
    async close() {
      await Promise.all(fleets.map((fleet) => fleet.close()));
    },
  };
}
