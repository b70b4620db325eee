import { type Command, sendAll, senderOf, textIn } from "../../fleet/redis-client.ts";
import { openRedis, type StoreAddress } from "./open-redis.ts";
import type { RunStore } from "./run-store.ts";

/** A run is at most 64 KB, and what is remembered besides it. Nobody reads more than that, whatever lies in the store. */
const MAX_BYTES = 200_000;

/** Keeps runs in Redis or Valkey. Throws a `UsageError` for an address that is none, or without a client. */
export function connectRunStore(address: StoreAddress): RunStore & { close(): void } {
  const { client, close } = openRedis("--store", address);
  const send = senderOf(client);
  const ask = async (...command: Command): Promise<unknown> => (await sendAll(send, [command]))[0];
  const keyOf = (run: string): string => `doomloop:run:${run}`;
  return {
    load: async (run) => textIn(await ask("GETRANGE", keyOf(run), "0", `${MAX_BYTES}`)) || undefined,
    save: (run, text, lifeMs) => ask("SET", keyOf(run), text, "PX", `${lifeMs}`),
    forget: (run) => ask("DEL", keyOf(run)),
    close,
  };
}
