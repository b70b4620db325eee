import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { UsageError } from "../../system/usage-error.ts";

const PLAIN = "redis:";
const ENCRYPTED = "rediss:";
const PORT = 6379;

/** A connected client from a package of the user's. */
interface ConnectedClient {
  /** The client object that the package created. */
  readonly client: unknown;
  /** The name of the package. */
  readonly name: ClientName;
  close(): void;
}

/** The packages to look for, in this order. */
export const CLIENT_NAMES = ["ioredis", "iovalkey", "redis"] as const;
export type ClientName = (typeof CLIENT_NAMES)[number];

interface AnyClient {
  on(event: "error", listener: (fault: Error) => void): unknown;
  connect(): Promise<unknown>;
  /** ioredis, iovalkey */
  disconnect?(): unknown;
  select?(database: number): Promise<unknown>;
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
   * The folder of the project whose client is used.
   * @default process.cwd()
   */
  readonly folder?: string;
  /**
   * The only client to look for.
   * @default the first of CLIENT_NAMES that is installed
   */
  readonly only?: ClientName | undefined;
  /**
   * Whether the address is that of a server in a Cluster, from which the client learns of the others.
   * @default false
   */
  readonly isCluster?: boolean | undefined;
  /** The certificate of an authority of the user's own, in PEM. */
  readonly ca?: string | undefined;
  /** @default 5000 */
  readonly timeoutMs?: number;
  /**
   * For a connection that stays: after so long without an answer it is taken to be dead, and made anew.
   * @default undefined: it is left to the operating system
   */
  readonly socketTimeoutMs?: number | undefined;
}

/**
 * Connects with the Redis client that is installed in a project, since doomloop ships none. Throws a `UsageError` if no
 * client is installed or the store cannot be reached. Errors never repeat the address, which may contain a password.
 */
export async function connectRedis(url: string, options: ConnectOptions = {}): Promise<ConnectedClient> {
  const { isCluster = false, ca, timeoutMs = 5000, socketTimeoutMs } = options;
  const address = readAddress(url);
  const { name, path } = findClient(options);
  const module = (await import(pathToFileURL(path).href)) as ClientModule;
  const create = isCluster ? createCluster : createClient;
  let isConnected = false;
  const client = create(module, name, {
    ...{ address, connectTimeout: timeoutMs, ca, socketTimeout: socketTimeoutMs },
    isConnected: () => isConnected,
  });
  const close = (): void => {
    if (name === "redis") client.destroy?.();
    else client.disconnect?.();
  };
  let latest: Error | undefined;
  // Without a listener, the first error would end the process. Later errors make commands fail.
  client.on("error", (fault) => {
    latest = fault;
  });
  try {
    await within(timeoutMs, connectTo(client, name, isCluster ? 0 : Number(address.pathname.slice(1))));
    isConnected = true;
  } catch (fault) {
    close();
    throw new UsageError(`cannot reach ${address.host}: ${reasonOf(latest ?? fault)}`, { cause: fault });
  }
  return { client, name, close };
}

/**
 * Connects. ioredis and iovalkey go on in database 0 if the server refuses the one in the address, and say nothing: so it is asked for
 * again.
 */
async function connectTo(client: AnyClient, name: ClientName, database: number): Promise<void> {
  await client.connect();
  if (name !== "redis" && database > 0) await client.select?.(database);
}

/** Finds the client in a project. Throws a `UsageError` if there is none. */
export function findClient({ folder = process.cwd(), only }: Pick<ConnectOptions, "folder" | "only">): {
  readonly name: ClientName;
  readonly path: string;
} {
  const names = only === undefined ? CLIENT_NAMES : [only];
  const { resolve } = createRequire(join(folder, "package.json"));
  for (const name of names) {
    try {
      return { name, path: resolve(name) };
    } catch {
      // Not installed: try the next one.
    }
  }
  const wanted = names.length === 1 ? names[0] : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
  throw new UsageError(
    `no Redis client is installed in ${folder}: ${wanted} is required, such as: npm install ${names[0]}`,
  );
}

/** How a client is to connect. */
interface Connection {
  readonly address: URL;
  readonly connectTimeout: number;
  readonly ca: string | undefined;
  readonly socketTimeout: number | undefined;
  /** Whether it was ever connected. */
  readonly isConnected: () => boolean;
}

function createClient(module: ClientModule, name: ClientName, connection: Connection): AnyClient {
  const { address, connectTimeout, ca } = connection;
  const { href: url } = address;
  if (name === "redis") {
    const tls = ca !== undefined && { tls: true, ca };
    return factoryOf(module, "createClient")({ url, socket: { connectTimeout, ...tls, ...staying(connection, name) } });
  }
  const tls = ca !== undefined && { tls: { ca } };
  const options = { lazyConnect: true, connectTimeout, maxRetriesPerRequest: 1, ...tls, ...staying(connection, name) };
  return new (classOf(module))(url, options);
}

/** The client logs in to all servers of a Cluster with the same user and password. */
function createCluster(module: ClientModule, name: ClientName, connection: Connection): AnyClient {
  const { address, connectTimeout, ca } = connection;
  const { host, port, isEncrypted, ...names } = loginOf(address);
  if (name === "redis") {
    const tls = isEncrypted && { tls: true, ...(ca !== undefined && { ca }) };
    const socket = { connectTimeout, ...tls, ...staying(connection, name) };
    const rootNodes = [{ socket: { ...socket, host, port } }];
    return factoryOf(module, "createCluster")({ rootNodes, defaults: { ...names, socket } });
  }
  const tls = isEncrypted && { tls: { ...(ca !== undefined && { ca }) } };
  const redisOptions = { ...names, ...tls, connectTimeout, maxRetriesPerRequest: 1, ...staying(connection, name) };
  return new (classOf(module).Cluster)([{ host, port }], { lazyConnect: true, redisOptions });
}

/**
 * What a connection needs that stays. By itself, node-redis gives up a connection that has fallen silent, and does not say why the first
 * one fails.
 */
function staying({ socketTimeout, isConnected }: Connection, name: ClientName): object {
  if (socketTimeout === undefined) return {};
  const reconnectStrategy = (tries: number, fault: Error): number | Error =>
    isConnected() ? Math.min(5000, 100 * 2 ** tries) * (0.5 + Math.random() / 2) : fault;
  return { socketTimeout, ...(name === "redis" && { reconnectStrategy }) };
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

/** Resolves like the promise, but rejects if that takes longer than the limit. */
async function within<Result>(limitMs: number, promise: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error(`no answer within ${limitMs / 1000} s`)), limitMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The address of one server, and how to log in to it. */
interface Login {
  readonly host: string;
  readonly port: number;
  readonly isEncrypted: boolean;
  readonly username?: string;
  readonly password?: string;
}

/**
 * Reads an address. `valkey:` is replaced by `redis:`, because not all clients know it. Throws a `UsageError` that does
 * not repeat the address, which may contain a password.
 */
export function readAddress(url: string, option = "--url"): URL {
  const address = URL.parse(url.replace(/^valkey(?=s?:)/i, "redis"));
  if (address?.protocol !== PLAIN && address?.protocol !== ENCRYPTED)
    throw new UsageError(`${option}: an address that begins with redis:// or rediss:// is required`);
  if (!/^\/?\d{0,4}$/.test(address.pathname))
    throw new UsageError(
      `${option}: only the number of a database may follow the host, as in redis://localhost:6379/2`,
    );
  return address;
}

export function loginOf({ hostname, port, protocol, username, password }: URL): Login {
  return {
    host: hostname.replace(/^\[(.*)\]$/, "$1"),
    port: Number(port) || PORT,
    isEncrypted: protocol === ENCRYPTED,
    ...(username !== "" && { username: decoded(username) }),
    ...(password !== "" && { password: decoded(password) }),
  };
}

/** Leaves text alone in which a percent sign is just a percent sign. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
