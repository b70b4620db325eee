import { type EventEmitter, once } from "node:events";
import { createRequire } from "node:module";
import { resolve } from "node:path";

/** The clients are installed for the tests of stores, not for the workspace: `npm ci --prefix test/stores`. */
const requireStore = createRequire(resolve(import.meta.dirname, "../../test/stores/package.json"));

export type ClientName = "ioredis" | "node-redis";

export const clientNames: readonly ClientName[] = ["ioredis", "node-redis"];

/** A client on loopback, as the fleet takes it and as somebody would call a script by hand. */
export interface StoreClient {
  readonly name: ClientName;
  /** For `createRedisFleet`. */
  readonly client: unknown;
  /** The same client, with each script call written down. */
  recording(calls: ScriptCall[]): unknown;
  evalSha(call: ScriptCall): Promise<unknown>;
  close(): void;
}

/** A script call as the client's own arguments. */
export type ScriptCall = readonly unknown[];

interface AnyClient extends EventEmitter {
  connect(): Promise<unknown>;
  disconnect(): void;
  destroy(): void;
  evalsha(...words: readonly unknown[]): Promise<unknown>;
  evalSha(...words: readonly unknown[]): Promise<unknown>;
}

export async function openClient(name: ClientName, port: number): Promise<StoreClient> {
  const isIoredis = name === "ioredis";
  const client = isIoredis ? makeIoredis(port) : makeNodeRedis(port);
  client.on("error", () => {});
  await (isIoredis ? once(client, "ready") : client.connect());
  const method = isIoredis ? "evalsha" : "evalSha";
  return {
    name,
    client,
    recording: (calls) =>
      new Proxy(client, {
        get(target, property) {
          const value: unknown = Reflect.get(target, property, target);
          if (property !== method) return typeof value === "function" ? value.bind(target) : value;
          return (...words: unknown[]) => {
            calls.push(words);
            return target[method](...words);
          };
        },
      }),
    evalSha: (call) => client[method](...call),
    close: () => (isIoredis ? client.disconnect() : client.destroy()),
  };
}

function makeIoredis(port: number): AnyClient {
  const { Redis } = requireStore("ioredis") as { Redis: new (options: object) => AnyClient };
  return new Redis({ host: "127.0.0.1", port });
}

function makeNodeRedis(port: number): AnyClient {
  const { createClient } = requireStore("redis") as { createClient: (options: object) => AnyClient };
  return createClient({ socket: { host: "127.0.0.1", port } });
}
