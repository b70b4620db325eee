import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { UsageError } from "../../system/usage-error.ts";
import { loginOf, readAddress } from "./redis-address.ts";
import { within } from "./within.ts";

/** A client of the user's own, connected. */
export interface RedisClient {
  /** As its package made it. */
  readonly client: unknown;
  /** The package. */
  readonly name: ClientName;
  close(): void;
}

/** The packages that are looked for, in this order. */
export const CLIENT_NAMES = ["ioredis", "iovalkey", "redis"] as const;
export type ClientName = (typeof CLIENT_NAMES)[number];

interface AnyClient {
  on(event: "error", listener: (fault: Error) => void): unknown;
  connect(): Promise<unknown>;
  /** ioredis, iovalkey */
  disconnect?(): unknown;
  /** redis */
  destroy?(): unknown;
}

interface ClientModule {
  readonly default?: unknown;
  /** redis */
  readonly createClient?: (options: object) => AnyClient;
  readonly createCluster?: (options: object) => AnyClient;
}

/** ioredis, iovalkey */
interface ClientClass {
  new (url: string, options: object): AnyClient;
  readonly Cluster: new (nodes: readonly object[], options: object) => AnyClient;
}

export interface ConnectOptions {
  /**
   * The project whose client is used.
   * @default process.cwd()
   */
  readonly folder?: string;
  /**
   * The one client to look for.
   * @default the first of CLIENT_NAMES that is installed
   */
  readonly only?: ClientName | undefined;
  /**
   * The address is that of one server of a Cluster, which tells of the others.
   * @default false
   */
  readonly isCluster?: boolean | undefined;
  /** @default 5000 */
  readonly timeoutMs?: number;
}

/**
 * Connects with the Redis client that is installed in a project: doomloop brings none. Throws a `UsageError` if there is
 * none, or if the store cannot be reached. Never says the address as it was given, which may hold a password.
 */
export async function connectRedis(url: string, options: ConnectOptions = {}): Promise<RedisClient> {
  const { folder = process.cwd(), only, isCluster = false, timeoutMs = 5000 } = options;
  const address = readAddress(url);
  const { name, path } = findClient(folder, only === undefined ? CLIENT_NAMES : [only]);
  const module = (await import(pathToFileURL(path).href)) as ClientModule;
  const create = isCluster ? createCluster : createClient;
  const client = create(module, name, address, timeoutMs);
  const close = (): void => {
    if (name === "redis") client.destroy?.();
    else client.disconnect?.();
  };
  let latest: Error | undefined;
  // A client without a listener ends the process at the first fault. Later ones show as a state.
  client.on("error", (fault) => {
    latest = fault;
  });
  try {
    await within(timeoutMs, client.connect());
  } catch (fault) {
    close();
    throw new UsageError(`cannot reach ${address.host}: ${reasonOf(latest ?? fault)}`, { cause: fault });
  }
  return { client, name, close };
}

function findClient(folder: string, names: readonly ClientName[]): { name: ClientName; path: string } {
  const { resolve } = createRequire(join(folder, "package.json"));
  for (const name of names) {
    try {
      return { name, path: resolve(name) };
    } catch {
      // Not installed: the next one may be.
    }
  }
  const wanted = names.length === 1 ? names[0] : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
  throw new UsageError(
    `no Redis client is installed in ${folder}: ${wanted} is required, such as: npm install ${names[0]}`,
  );
}

function createClient(module: ClientModule, name: ClientName, { href: url }: URL, connectTimeout: number): AnyClient {
  if (name === "redis") return factoryOf(module, "createClient")({ url, socket: { connectTimeout } });
  return new (classOf(module))(url, { lazyConnect: true, connectTimeout, maxRetriesPerRequest: 1 });
}

/** All servers of a Cluster are logged into as the first one is. */
function createCluster(module: ClientModule, name: ClientName, address: URL, connectTimeout: number): AnyClient {
  const { host, port, isEncrypted, ...names } = loginOf(address);
  if (name === "redis") {
    const socket = { connectTimeout, ...(isEncrypted && { tls: true }) };
    const rootNodes = [{ socket: { ...socket, host, port } }];
    return factoryOf(module, "createCluster")({ rootNodes, defaults: { ...names, socket } });
  }
  const tls = isEncrypted && { tls: {} };
  const redisOptions = { ...names, ...tls, connectTimeout, maxRetriesPerRequest: 1 };
  return new (classOf(module).Cluster)([{ host, port }], { lazyConnect: true, redisOptions });
}

function factoryOf(module: ClientModule, name: "createClient" | "createCluster"): (options: object) => AnyClient {
  return (module[name] ?? (module.default as ClientModule | undefined)?.[name])!;
}

function classOf({ default: inner }: ClientModule): ClientClass {
  return (typeof inner === "function" ? inner : (inner as ClientModule | undefined)?.default) as ClientClass;
}

function reasonOf(fault: unknown): string {
  const { message, code } = fault as NodeJS.ErrnoException;
  return message || code || "no reason was given";
}
