import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { UsageError } from "../usage-error.ts";
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
  readonly createClient?: (options: object) => AnyClient;
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
  /** @default 5000 */
  readonly timeoutMs?: number;
}

/**
 * Connects with the Redis client that is installed in a project: doomloop brings none. Throws a `UsageError` if there is
 * none, or if the store cannot be reached. Never says the address as it was given, which may hold a password.
 */
export async function connectRedis(url: string, options: ConnectOptions = {}): Promise<RedisClient> {
  const { folder = process.cwd(), only, timeoutMs = 5000 } = options;
  const place = placeOf(url);
  const { name, path } = findClient(folder, only === undefined ? CLIENT_NAMES : [only]);
  const client = createClient((await import(pathToFileURL(path).href)) as ClientModule, name, url, timeoutMs);
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
    throw new UsageError(`cannot reach ${place}: ${reasonOf(latest ?? fault)}`, { cause: fault });
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

function createClient(module: ClientModule, name: ClientName, url: string, connectTimeout: number): AnyClient {
  const inner = module.default as (ClientModule & { Redis?: unknown }) | undefined;
  if (name === "redis") {
    const create = module.createClient ?? inner?.createClient;
    return create!({ url, socket: { connectTimeout } });
  }
  const Client = (typeof inner === "function" ? inner : inner?.default) as new (
    url: string,
    options: object,
  ) => AnyClient;
  return new Client(url, { lazyConnect: true, connectTimeout, maxRetriesPerRequest: 1 });
}

/** Host and port alone. */
function placeOf(url: string): string {
  const parsed = URL.parse(url);
  if (parsed !== null && /^(?:redis|rediss|valkey|valkeys):$/.test(parsed.protocol)) return parsed.host;
  throw new UsageError("--url: an address that begins with redis:// or rediss:// is required");
}

function reasonOf(fault: unknown): string {
  const { message, code } = fault as NodeJS.ErrnoException;
  return message || code || "no reason was given";
}
