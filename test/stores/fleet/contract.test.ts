import { assertFleetStore } from "doomloop/testing";
import pg from "pg";
import { describe, expect, it } from "vitest";
import { CREATE_TABLES, postgresStore } from "../../../examples/fleet-postgres/postgres-store.ts";
import { redisStore } from "../../../packages/doomloop/src/fleet/redis-fleet.ts";
import { CLIENTS, openClient } from "../servers/clients.ts";
import { hasPostgres, startPostgres } from "../servers/postgres.ts";
import { engines, isInstalled } from "../servers/server.ts";
import { stores } from "../servers/stores.ts";
import { until } from "../servers/until.ts";

describe.each(engines.filter(isInstalled))("a store on %s", (engine) => {
  it.each(["server", "cluster", "sentinel"] as const)("keeps the contract, through each client: %s", async (kind) => {
    const place = await stores[kind](engine);
    const opened = CLIENTS.map((name) => openClient(name, place));
    const keepContract = async ({ client }: (typeof opened)[number]): Promise<void> => {
      const open = redisStore(client);
      const { suspects } = open({ tenant: "first", windowMs: 1000 });
      await until("it answers", () => suspects().then(() => true));
      await expect(assertFleetStore(open)).resolves.toBeUndefined();
    };
    await Promise.all(opened.map(keepContract));
    for (const { close } of opened) close();
    await place.stop();
  });

  it("leaves out what somebody else has written there, and refuses a key that holds something else", async () => {
    const { victim, stop, ...place } = await stores.server(engine);
    const { client, close } = openClient("redis", place);
    const store = redisStore(client)({ tenant: "acme", windowMs: 60_000 });
    const name = "n".repeat(22);
    await until("it answers", () => store.suspects().then(() => true));
    const written = [name, `${"t".repeat(200)}\u001b`, "no name", "fetch", "n".repeat(21), "fetch"];
    await victim.ask("HSET", "dl4:{acme}:suspects", ...written);
    expect(await store.suspects()).toEqual([{ name, tool: "t".repeat(80) }]);

    await victim.ask("SET", `dl4:{acme:${name}}:tries`, "x");
    await expect(store.count({ name, calls: ["one"], process: "one" })).rejects.toThrow("WRONGTYPE");
    await victim.ask("DEL", "dl4:{acme}:suspects");
    await victim.ask("SET", "dl4:{acme}:suspects", "x");
    await expect(store.suspects()).rejects.toThrow("WRONGTYPE");
    close();
    await stop();
  });

  it("has keys that end by themselves", async () => {
    const { victim, stop, ...place } = await stores.server(engine);
    const { client, close } = openClient("ioredis", place);
    const store = redisStore(client)({ tenant: "acme", windowMs: 400 });
    for (let at = 0; at < 20; at++) {
      const name = `${at}`.padStart(22, "n");
      await store.count({ name, calls: [`call ${at}`], process: "one" });
      await store.suspect({ name, tool: "fetch" });
    }
    expect(Number(await victim.ask("DBSIZE"))).toBeGreaterThan(0);
    await until("nothing is left", async () => (await victim.ask("DBSIZE")) === "0");
    close();
    await stop();
  });
});

describe.runIf(hasPostgres)("the example's store on Postgres", () => {
  it("keeps the contract", async () => {
    const server = await startPostgres();
    const pool = new pg.Pool({ connectionString: server.url });
    pool.on("error", () => {});
    await pool.query(CREATE_TABLES);
    await expect(assertFleetStore(postgresStore(pool))).resolves.toBeUndefined();
    await pool.end();
    await server.stop();
  });
});
