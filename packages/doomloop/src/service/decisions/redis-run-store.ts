import { type ClientName, connectRedis, findClient, readAddress } from "../../fleet/inspect/connect-redis.ts";
import { readAuthority } from "../../fleet/inspect/open-store.ts";
import { commandsOf } from "../../fleet/redis/redis-client.ts";
import { type Command, errorIn, type RedisCommands, textIn } from "../../fleet/redis/redis-commands.ts";
import { START_OF_SAVED } from "./live-run.ts";
import type { RunStore } from "./run-store.ts";

/** A run is at most 64 KB, and what is remembered besides it. Nobody reads more than that, whatever lies in the store. */
const MAX_BYTES = 200_000;
/** Until the next attempt to reach a store that was not there at the start. */
const RETRY_MS = 5_000;

export interface RedisRunStore extends RunStore {
  close(): void;
}

interface StoreOptions {
  readonly client?: ClientName | undefined;
  readonly cluster?: boolean | undefined;
  readonly ca?: string;
}

/**
 * Keeps runs in Redis or Valkey. Throws a `UsageError` for an address that is none, or without a client. If the store cannot be reached,
 * `onFault` is told, and every command fails until it can be: a service judges without a store, too.
 */
export async function connectRunStore(
  url: string,
  options: StoreOptions,
  onFault: (fault: unknown) => void,
): Promise<RedisRunStore> {
  const { client: only, cluster: isCluster } = options;
  const ca = readAuthority(options);
  readAddress(url, "--store");
  findClient({ only });
  let commands: RedisCommands | undefined;
  let closeClient: (() => void) | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const connect = async (): Promise<void> => {
    const { client, close } = await connectRedis(url, { only, isCluster, ca });
    if (isClosed) return close();
    closeClient = close;
    commands = commandsOf(client);
  };
  const retry = (): void => {
    if (!isClosed) timer = setTimeout(() => void connect().catch(retry), RETRY_MS).unref();
  };
  await connect().catch((fault: unknown) => {
    onFault(fault);
    retry();
  });
  /** Resolves to the reply to the first command. */
  const ask = async (...group: readonly Command[]): Promise<unknown> => {
    if (commands === undefined) throw new Error("the store cannot be reached");
    const replies = await commands.send(group);
    const fault = errorIn(replies);
    if (fault !== undefined) throw fault;
    return replies[0];
  };
  return {
    load: async (run) => textIn(await ask(["GETRANGE", keyOf(run), "0", `${MAX_BYTES}`])) || undefined,
    async save(run, text, lifeMs) {
      const key = keyOf(run);
      const before = await ask(["GETRANGE", key, "0", `${START_OF_SAVED - 1}`], ["SET", key, text, "PX", `${lifeMs}`]);
      return textIn(before) || undefined;
    },
    forget: async (run) => void (await ask(["DEL", keyOf(run)])),
    close() {
      isClosed = true;
      clearTimeout(timer);
      closeClient?.();
    },
  };
}

function keyOf(run: string): string {
  return `doomloop:run:${run}`;
}
