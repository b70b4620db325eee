import { type ClientName, connectRedis } from "../../fleet/inspect/connect-redis.ts";
import { readAuthority } from "../../fleet/inspect/open-store.ts";
import { commandsOf } from "../../fleet/redis/redis-client.ts";
import { type Command, errorIn, textIn } from "../../fleet/redis/redis-commands.ts";
import type { RunStore } from "./runs.ts";

/** A run is at most 64 KB, and what is remembered besides it. Nobody reads more than that, whatever lies in the store. */
const MAX_BYTES = 200_000;

export interface RedisRunStore extends RunStore {
  close(): void;
}

/** Keeps runs in Redis or Valkey. Throws a `UsageError` if it cannot be reached. */
export async function connectRunStore(
  url: string,
  options: {
    readonly client?: ClientName | undefined;
    readonly cluster?: boolean | undefined;
    readonly ca?: string;
  } = {},
): Promise<RedisRunStore> {
  const { client: only, cluster: isCluster } = options;
  const { client, close } = await connectRedis(url, { only, isCluster, ca: readAuthority(options) });
  const commands = commandsOf(client);
  const ask = async (command: Command): Promise<unknown> => {
    const replies = await commands.send([command]);
    const fault = errorIn(replies);
    if (fault !== undefined) throw fault;
    return replies[0];
  };
  return {
    load: async (run) => textIn(await ask(["GETRANGE", keyOf(run), "0", `${MAX_BYTES}`])) || undefined,
    save: async (run, text, lifeMs) => void (await ask(["SET", keyOf(run), text, "PX", `${lifeMs}`])),
    forget: async (run) => void (await ask(["DEL", keyOf(run)])),
    close,
  };
}

function keyOf(run: string): string {
  return `doomloop:run:${run}`;
}
