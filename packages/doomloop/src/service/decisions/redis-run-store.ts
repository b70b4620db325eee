import { type Command, type SendCommands, sendAll, senderOf, textIn } from "../../fleet/redis-client.ts";
import { START_OF_SAVED } from "./live-run.ts";
import { openRedis, type StoreAddress } from "./open-redis.ts";
import type { RunStore } from "./run-store.ts";

/** A run is at most 64 KB, and what is remembered besides it. Nobody reads more than that, whatever lies in the store. */
const MAX_BYTES = 200_000;

export interface RedisRunStore extends RunStore {
  close(): void;
}

/** Keeps runs in Redis or Valkey. Throws a `UsageError` for an address that is none, or without a client. */
export function connectRunStore(address: StoreAddress): RedisRunStore {
  const { client, close } = openRedis("--store", address);
  const send: SendCommands = senderOf(client);
  const ask = async (...group: readonly Command[]): Promise<unknown> => (await sendAll(send, group))[0];
  return {
    load: async (run) => textIn(await ask(["GETRANGE", keyOf(run), "0", `${MAX_BYTES}`])) || undefined,
    async save(run, text, lifeMs) {
      const key = keyOf(run);
      const before = await ask(["GETRANGE", key, "0", `${START_OF_SAVED - 1}`], ["SET", key, text, "PX", `${lifeMs}`]);
      return textIn(before) || undefined;
    },
    forget: async (run) => void (await ask(["DEL", keyOf(run)])),
    close,
  };
}

function keyOf(run: string): string {
  return `doomloop:run:${run}`;
}
