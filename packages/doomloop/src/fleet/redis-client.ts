import { DoomloopError } from "../core/doomloop-error.ts";

/** A command and its arguments, the first of which is a key. Commands that are sent together have keys of one slot. */
export type Command = readonly [name: string, ...words: string[]];

/** Sends commands together. Resolves to one reply for each; the reply to a command that failed is an `Error`. */
export type SendCommands = (commands: readonly Command[]) => Promise<readonly unknown[]>;

/** A client that the caller passes in, recognised by its methods. No package is imported: any version with these methods works. */
export type RedisClient = IoredisClient | NodeRedisClient;

/** The methods in use of an `ioredis` or `iovalkey` client: a `Redis`, with Sentinel or without, or a `Cluster`. */
interface IoredisClient {
  readonly status: string;
  pipeline(commands: unknown[][]): { exec(): Promise<[Error | null, unknown][] | null> };
  on(event: "error", listener: () => void): unknown;
}

/** The methods in use of a `redis` (node-redis) client, made by `createClient`, `createCluster` or `createSentinel`. */
interface NodeRedisClient {
  readonly isOpen: boolean;
  sendCommand(...words: never[]): Promise<unknown>;
  on(event: "error", listener: () => void): unknown;
}

const heard = new WeakSet<object>();

/** Sends commands through a client. Throws a `DoomloopError` for an unknown client, or for one that changes the names of keys. */
export function senderOf(client: unknown): SendCommands {
  if (!isClient(client)) {
    const required = "fleet: client: one of ioredis, iovalkey or redis (node-redis) is required";
    throw new DoomloopError("invalid-option", `${required}, got ${typeof client}`);
  }
  // Without a listener, a lost connection would end the process. The error itself shows in the commands that fail.
  if (!heard.has(client)) client.on("error", () => {});
  heard.add(client);
  return "pipeline" in client ? ioredisSender(client) : nodeRedisSender(client);
}

function isClient(client: unknown): client is RedisClient {
  if (typeof client !== "object" || client === null) return false;
  return ("pipeline" in client && "status" in client) || ("sendCommand" in client && "isOpen" in client);
}

function ioredisSender(client: IoredisClient): SendCommands {
  const { options } = client as { options?: { keyPrefix?: string; redisOptions?: { keyPrefix?: string } } };
  if (options?.keyPrefix || options?.redisOptions?.keyPrefix) {
    const required = "fleet: client: one without keyPrefix is required: the tenant keeps fleets apart";
    throw new DoomloopError("invalid-option", required);
  }
  return async (commands) => {
    // On a Cluster, iovalkey finds the keys of lower-case commands only, and sends all others to any server.
    const calls = commands.map(([name, ...words]) => ["call", name.toLowerCase(), ...words]);
    const replies = await client.pipeline(calls).exec();
    return (replies ?? []).map(([fault, reply]) => fault ?? reply);
  };
}

/** This client itself sends together what is written within one turn of the event loop. */
function nodeRedisSender(client: NodeRedisClient): SendCommands {
  const send = client.sendCommand.bind(client) as (...words: unknown[]) => Promise<unknown>;
  // A Cluster client needs a key of the group. Both others but the plain one need to know that no replica may answer.
  const before = (key: string | undefined): unknown[] => {
    if ("masters" in client) return [key, false];
    return "getSentinelNode" in client ? [false] : [];
  };
  return (commands) =>
    Promise.all(
      commands.map((words) =>
        send(...before(commands[0]?.[1]), [...words]).catch((fault) =>
          fault instanceof Error ? fault : new Error(String(fault)),
        ),
      ),
    );
}

/** The replies, if there is one for each command and none failed. */
export async function sendAll(send: SendCommands, commands: readonly Command[]): Promise<readonly unknown[]> {
  const replies = await send(commands);
  const fault = replies.find((reply) => reply instanceof Error);
  if (fault !== undefined) throw fault;
  if (replies.length !== commands.length) throw new Error("replies are missing");
  return replies;
}

/** The text of a reply, which some clients return as bytes; undefined for anything else. */
export function textIn(reply: unknown): string | undefined {
  if (typeof reply === "string") return reply;
  return reply instanceof Uint8Array ? Buffer.from(reply).toString("utf8") : undefined;
}

/** The whole number, at least 0, of a reply; 0 for anything else. */
export function numberIn(reply: unknown): number {
  const number = Number(reply);
  return Number.isSafeInteger(number) && number > 0 ? number : 0;
}
