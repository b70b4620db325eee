import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { RedisClient } from "../../fleet/redis-client.ts";
import { orUsageError, UsageError } from "../../system/usage-error.ts";

/** The packages to look for, in this order. doomloop ships none. */
export const CLIENT_NAMES = ["ioredis", "iovalkey", "redis"] as const;
export type ClientName = (typeof CLIENT_NAMES)[number];

/** Where a store is, as given on the command line. */
export interface StoreAddress {
  readonly url: string;
  /** The only client to look for. */
  readonly client?: ClientName | undefined;
  /** The address is that of one server of a Cluster, from which the client learns of the others. */
  readonly cluster?: boolean | undefined;
  /** A file with the certificate of an authority of the user's own. */
  readonly ca?: string | undefined;
}

/** What a package of the user's exports: a class of ioredis or iovalkey, or the functions of redis. */
interface ClientModule extends Record<"createClient" | "createCluster", (options: object) => AnyClient> {
  new (url: string, options: object): AnyClient;
  readonly Cluster: new (nodes: readonly object[], options: object) => AnyClient;
}

type AnyClient = RedisClient &
  Record<"connect" | "disconnect" | "destroy" | "select", (database?: number) => Promise<unknown>>;

/**
 * Opens the Redis client of a project. It connects in the background and goes on trying, so its commands fail until it has succeeded. Throws
 * a `UsageError` for what only the user can correct; it never repeats the address, which may contain a password.
 */
export function openRedis(option: string, address: StoreAddress, folder: string = process.cwd()) {
  const url = readAddress(option, address.url);
  const ca = address.ca === undefined ? {} : { ca: readBytes("--ca", address.ca).toString() };
  const { name, create } = findClient(folder, address.client);
  const isEncrypted = url.protocol === "rediss:";
  const node = { host: url.hostname.replace(/^\[(.*)\]$/, "$1"), port: Number(url.port) || 6379 };
  const login = { ...part("username", url.username), ...part("password", url.password) };
  // A connection that says nothing for so long is dead.
  const times = { connectTimeout: 5_000, socketTimeout: 15_000 };
  let client: AnyClient;
  if (name === "redis") {
    const socket = { ...times, reconnectStrategy: untilRetryMs, ...(isEncrypted && { tls: true, ...ca }) };
    client = address.cluster
      ? create.createCluster({ rootNodes: [{ socket: { ...socket, ...node } }], defaults: { ...login, socket } })
      : create.createClient({ url: url.href, socket });
  } else {
    const options = { ...login, ...times, maxRetriesPerRequest: 1, ...(isEncrypted && { tls: ca }) };
    client = address.cluster
      ? new create.Cluster([node], { redisOptions: options })
      : new create(url.href, { ...options, retryStrategy: untilRetryMs });
  }
  client.on("error", () => {});
  const close = (): void => void (name === "redis" ? client.destroy() : client.disconnect());
  const database = Number(url.pathname.slice(1));
  if (name === "redis") client.connect().catch(() => {});
  // If the server refuses the database, these would go on in database 0, and say nothing.
  else if (database > 0) client.select(database).catch((fault: Error) => fault.name === "ReplyError" && close());
  return { client: client as RedisClient, close };
}

/** Until the next attempt to connect. By itself, node-redis gives up a connection that has fallen silent. */
function untilRetryMs(tries: number): number {
  return Math.min(5_000, 100 * 2 ** tries) * (0.5 + Math.random() / 2);
}

function findClient(folder: string, only: ClientName | undefined) {
  const names = only ? [only] : CLIENT_NAMES;
  const require = createRequire(join(folder, "package.json"));
  for (const name of names) {
    try {
      require.resolve(name);
      return { name, create: require(name) as ClientModule };
    } catch {
      // Not installed: try the next one.
    }
  }
  throw new UsageError(`no Redis client is installed in ${folder}: npm install ${names.join(", or ")}`);
}

/** Reads an address. `valkey:` is replaced by `redis:`, because not all clients know it. */
function readAddress(option: string, text: string): URL {
  const url = URL.parse(text.replace(/^valkey(?=s?:)/i, "redis"));
  if (url?.protocol !== "redis:" && url?.protocol !== "rediss:")
    throw new UsageError(`${option}: an address that begins with redis:// or rediss:// is required`);
  if (!/^\/?\d{0,4}$/.test(url.pathname))
    throw new UsageError(`${option}: only a database's number may follow the host, as in redis://localhost:6379/2`);
  return url;
}

/** Leaves text alone in which a percent sign is just a percent sign. */
function part(name: string, text: string): object {
  try {
    return text === "" ? {} : { [name]: decodeURIComponent(text) };
  } catch {
    return { [name]: text };
  }
}

export function readBytes(option: string, path: string): Buffer {
  return orUsageError(`${option}: cannot read ${path}`, () => readFileSync(path));
}
