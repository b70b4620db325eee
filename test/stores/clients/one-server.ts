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
export async function keysOf(client: Redis, tenant: string): Promise<string[]> {
  return [...(await client.keys(`dl3:{${tenant}[}:]*`)), ...(await client.keys(`dl:{${tenant}}:*`))];
}

/** The keys of a tenant's fingerprints. */
export function fingerprintKeys(client: Redis, tenant: string): Promise<string[]> {
  return client.keys(`dl3:{${tenant}:*`);
}

/** The keys with a tenant's counts. The mark that something was announced stays for its window. */
export async function countKeys(client: Redis, tenant: string): Promise<string[]> {
  return (await fingerprintKeys(client, tenant)).filter((key) => !key.endsWith(":t"));
}

/** The keys of a tenant's news, one for each window, the latest last. */
export async function newsKeys(client: Redis, tenant: string): Promise<string[]> {
  return (await client.keys(`dl3:{${tenant}}:news:*`)).toSorted();
}

/** The lines of a tenant's news. */
export async function newsLines(client: Redis, tenant: string): Promise<string[]> {
  const texts = await Promise.all((await newsKeys(client, tenant)).map((key) => client.get(key)));
  return texts.flatMap((text) => (text ?? "").split("\n")).filter((line) => line !== "");
}

/** The key to which processes append news now. */
export async function newsKeyNow(client: Redis, tenant: string, windowMs = 300_000): Promise<string> {
  const [seconds] = await client.time();
  return `dl3:{${tenant}}:news:${Math.floor((Number(seconds) * 1000) / windowMs)}`;
}

/** Lets time pass for a tenant: each key expires earlier, and the lines of the news become older. */
export async function passTime(client: Redis, tenant: string, passedMs: number): Promise<void> {
  for (const key of await newsKeys(client, tenant)) {
    const text = (await client.get(key)) ?? "";
    const older = text.replaceAll(/^\[(\d+)/gm, (_, at: string) => `[${Number(at) - passedMs}`);
    await client.set(key, older, "KEEPTTL");
  }
  for (const key of await keysOf(client, tenant)) {
    const lastsMs = await client.pttl(key);
    if (lastsMs >= 0) await client.pexpire(key, Math.max(0, lastsMs - passedMs));
  }
}
