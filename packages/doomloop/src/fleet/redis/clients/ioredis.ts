import type { RedisCommands } from "../redis-commands.ts";
import { createRenewableConnection } from "./renewable-connection.ts";
import { createWriteTogether, type WritableSocket } from "./write-together.ts";

/** What is used of a client of `ioredis` or `iovalkey`: a `Redis`, with Sentinel or without, or a `Cluster`. */
export interface IoredisClient {
  readonly status: string;
  evalsha(sha: string, numberOfKeys: number, ...words: string[]): Promise<unknown>;
  eval(text: string, numberOfKeys: number, ...words: string[]): Promise<unknown>;
  duplicate(): IoredisClient;
  on(event: "error", listener: () => void): unknown;
  disconnect(): void;
}

/** A connection as these clients hold it. */
interface Connection {
  readonly stream?: WritableSocket & { destroy(): void };
}

export function isIoredisClient(client: object): client is IoredisClient {
  return "evalsha" in client && "duplicate" in client && "status" in client;
}

export function ioredisCommands(original: IoredisClient): RedisCommands {
  const connection = createRenewableConnection<IoredisClient>({
    original,
    // A client that is made with `lazyConnect` connects at its first command.
    isReady: ({ status }) => status === "ready" || status === "wait",
    isEnded: ({ status }) => status === "end",
    copy(client) {
      const made = client.duplicate();
      // What goes wrong is seen by the calls that fail. Without a listener these clients write to the console.
      made.on("error", () => {});
      return made;
    },
    end(client) {
      // `disconnect` says goodbye and waits for the answer: in front of a dead peer that takes two seconds.
      const streams = connectionsOf(client).map(({ stream }) => stream);
      client.disconnect();
      for (const stream of streams) stream?.destroy();
    },
  });
  const together = createWriteTogether();
  return {
    ...connection,
    evalSha(sha, keys, words) {
      const client = connection.current();
      together(socketOf(client));
      return client.evalsha(sha, keys.length, ...keys, ...words);
    },
    eval: (text, keys, words) => connection.current().eval(text, keys.length, ...keys, ...words),
  };
}

/** The socket of a client that has one and is ready to write to it; a `Cluster` has several, and goes without. */
function socketOf(client: IoredisClient): WritableSocket | undefined {
  const { stream } = client as Connection;
  return client.status === "ready" && typeof stream?.cork === "function" ? stream : undefined;
}

function connectionsOf(client: IoredisClient): readonly Connection[] {
  const { nodes } = client as { nodes?: () => readonly Connection[] };
  return typeof nodes === "function" ? nodes.call(client) : [client as Connection];
}
