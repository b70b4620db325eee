import type { RedisCommands } from "../redis-commands.ts";
import { createRenewableConnection } from "./renewable-connection.ts";

/** What is used of a client of `@valkey/valkey-glide`: a `GlideClient` or a `GlideClusterClient`. */
export interface GlideClient {
  customCommand(words: string[]): Promise<unknown>;
  close(): void;
}

/** A client, or one that is being made: these are connected when they are there. */
interface Place {
  client?: GlideClient;
  isEnded: boolean;
}

export function isGlideClient(client: object): client is GlideClient {
  return "customCommand" in client && "close" in client;
}

/** This client makes no copies of itself: without `makeCopy`, a connection that does not answer is left to it. */
export function glideCommands(original: GlideClient, makeCopy?: () => Promise<GlideClient>): RedisCommands {
  const connection = createRenewableConnection<Place>({
    original: { client: original, isEnded: false },
    isReady: ({ client }) => client !== undefined,
    // It does not tell.
    isEnded: () => false,
    copy() {
      if (makeCopy === undefined) throw new Error("no copies");
      const place: Place = { isEnded: false };
      makeCopy().then(
        (client) => {
          if (place.isEnded) client.close();
          else place.client = client;
        },
        // One that is not there in time is made again.
        () => {},
      );
      return place;
    },
    end(place) {
      place.isEnded = true;
      place.client?.close();
    },
  });
  const run = (command: string, script: string, keys: readonly string[], words: readonly string[]): Promise<unknown> =>
    connection.current().client!.customCommand([command, script, String(keys.length), ...keys, ...words]);
  return {
    ...connection,
    evalSha: (sha, keys, words) => run("EVALSHA", sha, keys, words),
    eval: (text, keys, words) => run("EVAL", text, keys, words),
  };
}
