import type { RedisClient } from "../redis/redis-client.ts";
import { redisStore } from "../redis/redis-store.ts";
import type { FleetStore, OpenFleetStore } from "../store.ts";

/**
 * A store whose connection is made when it is first asked. While that fails, each question tries again, and rejects with the reason: a
 * fleet then takes the store to be away, and asks again after its own pauses.
 */
export function storeOnceConnected(connect: () => Promise<RedisClient>): OpenFleetStore {
  return (space) => {
    let opening: Promise<FleetStore> | undefined;
    const opened = (): Promise<FleetStore> => {
      opening ??= connect().then(
        (client) => redisStore(client)(space),
        (fault: unknown) => {
          opening = undefined;
          throw fault;
        },
      );
      return opening;
    };
    return {
      count: async (report) => (await opened()).count(report),
      forget: async (name) => (await opened()).forget(name),
      announce: async (announcements) => (await opened()).announce(announcements),
      beat: async (question) => (await opened()).beat(question),
      permit: async (question) => (await opened()).permit(question),
    };
  };
}
