import { once } from "node:events";
import { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, describe } from "vitest";
import { type Engine, engines, isInstalled, type Server, startServer } from "../servers/server.ts";
import { closeFleets } from "./fleets.ts";

interface OneServer {
  readonly engine: Engine;
  readonly server: Server;
  /** For fleets, and for an operator's commands. */
  readonly client: Redis;
}

/** Runs tests on one server of each engine, with a client of ioredis. Fleets are closed after each test. */
export function onEachEngine(title: string, tests: (store: OneServer) => void): void {
  describe.each(engines.filter(isInstalled))(`${title}, in %s`, (engine) => {
    let server: Server;
    let client: Redis;
    beforeAll(async () => {
      server = await startServer(engine);
      client = new Redis({ port: server.port });
      client.on("error", () => {});
      await once(client, "ready");
    });
    afterEach(closeFleets);
    afterAll(async () => {
      client.disconnect();
      await server.stop();
    });

    tests({
      engine,
      get server() {
        return server;
      },
      get client() {
        return client;
      },
    });
  });
}

/** All keys of a tenant in the store. */
export function keysOf(client: Redis, tenant: string): Promise<string[]> {
  return client.keys(`dl2:{${tenant}[}:]*`);
}

/** The keys of a tenant's fingerprints. */
export function fingerprintKeys(client: Redis, tenant: string): Promise<string[]> {
  return client.keys(`dl2:{${tenant}:*`);
}

/** Lets time pass for a tenant: each key expires earlier, and the entries of the news become older. */
export async function passTime(client: Redis, tenant: string, passedMs: number): Promise<void> {
  const news = `dl2:{${tenant}}:news`;
  for (const key of await keysOf(client, tenant)) {
    const lastsMs = await client.pttl(key);
    if (lastsMs >= 0) await client.pexpire(key, Math.max(0, lastsMs - passedMs));
  }
  const lastsMs = await client.pttl(news);
  if (lastsMs < 0) return;
  const entries = await client.xrange(news, "-", "+");
  await client.del(news);
  for (const [id, fields] of entries) {
    const [at, place] = id.split("-");
    await client.xadd(news, `${Number(at) - passedMs}-${place}`, ...fields);
  }
  await client.pexpire(news, lastsMs);
}
