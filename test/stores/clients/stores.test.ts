import { once } from "node:events";
import { createStoreFleet, type StoreFleetOptions } from "doomloop/fleet";
import { assertFleetStore } from "doomloop/testing";
import { Redis } from "ioredis";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CREATE_TABLE, postgresStore, setSwitch } from "../../../examples/fleet-postgres/postgres-store.ts";
import type { FleetNotice } from "../../../packages/doomloop/src/fleet/process/store-fleet-options.ts";
import { redisStore } from "../../../packages/doomloop/src/fleet/redis/redis-store.ts";
import { fingerprint, report, reports, tell } from "../../contracts/fleet.ts";
import { hasPostgres, type PostgresServer, startPostgres } from "../servers/postgres.ts";
import { engines, isInstalled, startServer } from "../servers/server.ts";

describe.each(engines.filter(isInstalled))("the store in %s", (engine) => {
  it("keeps the contract", async () => {
    const server = await startServer(engine);
    const client = new Redis({ port: server.port });
    await once(client, "ready");
    try {
      await assertFleetStore(redisStore(client));
    } finally {
      client.disconnect();
      await server.stop();
    }
  });
});

// Debian's package `postgresql` has the server; `node scripts/install-servers.ts` installs it.
describe.skipIf(!hasPostgres)("the store in Postgres", () => {
  let server: PostgresServer;
  let pool: pg.Pool;
  beforeAll(async () => {
    server = await startPostgres();
    pool = new pg.Pool({ connectionString: server.url, max: 8 });
    pool.on("error", () => {});
    await pool.query(CREATE_TABLE);
  });
  afterAll(async () => {
    await pool?.end();
    await server?.stop();
  });

  const fleetsOf = (count: number, tenant: string, options: Partial<StoreFleetOptions> = {}) =>
    Array.from({ length: count }, (_, at) =>
      createStoreFleet({
        ...{ store: postgresStore(pool), key: "a secret of the tests", tenant, witness: `${tenant} ${at}` },
        ...{ confirmMs: 0, deadlineMs: 30_000, heartbeatMs: 3_600_000, calls: 4, ...options },
      }),
    );

  it("keeps the contract", async () => {
    await assertFleetStore(postgresStore(pool));
  });

  it("serves a fleet: a dead end is heard of, cleared by a success, and switched off", async () => {
    const fleets = fleetsOf(3, "whole");
    const [one, two, three] = fleets;
    for (const fleet of [one!, two!]) {
      tell(fleet.join({ worker: "w" }), ...reports(2));
      await fleet.flush();
    }
    await three!.flush();
    expect(three!.join({ worker: "w" }).verdict(fingerprint(0))).toMatchObject({ calls: 4, workers: 2 });

    tell(three!.join({ worker: "w" }), report(9, { isBarren: false }));
    for (const fleet of [three!, one!]) await fleet.flush();
    expect(one!.findings()).toEqual([]);
    await setSwitch(pool, "whole", "off");
    await one!.flush();
    expect(one!.stats()).toMatchObject({ mode: "off", store: "connected", faults: 0 });
    await Promise.all(fleets.map((fleet) => fleet.close()));
  });

  it("removes rows that have ended", async () => {
    const [fleet] = fleetsOf(1, "swept", { windowMs: 2_000 });
    for (let page = 0; page < 30; page++)
      tell(fleet!.join({ worker: "w" }), report(0, { fingerprint: fingerprint(page) }));
    const rows = async () => {
      await fleet!.flush();
      const kinds = "tenant = 'swept' AND kind IN ('call', 'witness')";
      return Number((await pool.query(`SELECT count(*) FROM doomloop_fleet WHERE ${kinds}`)).rows[0].count);
    };
    expect(await rows()).toBeGreaterThan(0);
    await expect.poll(rows, { timeout: 60_000, interval: 20 }).toBe(0);
    await fleet!.close();
  });

  it("tells a refusal from a server that is gone", async () => {
    await pool.query("CREATE ROLE reader LOGIN; GRANT SELECT ON doomloop_fleet TO reader");
    const reader = new pg.Pool({ connectionString: server.url.replace("tests@", "reader@") });
    const gone = new pg.Pool({ connectionString: "postgres://tests@127.0.0.1:1/postgres" });
    const told: FleetNotice["kind"][] = [];
    for (const client of [reader, gone]) {
      const store = postgresStore(client);
      const [fleet] = fleetsOf(1, "refused", { store, onNotice: ({ kind }) => told.push(kind) });
      for (const id of [0, 1, 2]) {
        tell(fleet!.join({ worker: "w" }), report(id));
        await fleet!.flush();
      }
      await fleet!.close();
      await client.end();
    }

    expect(told).toEqual(["reports-refused", "store-away"]);
  });
});
