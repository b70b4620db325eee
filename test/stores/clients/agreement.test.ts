import { once } from "node:events";
import { createRedisFleet, type RedisFleetOptions } from "doomloop/fleet";
import { Cluster as IoredisCluster, Redis } from "ioredis";
import { Redis as Iovalkey } from "iovalkey";
import { createClient, RESP_TYPES } from "redis";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { FleetNotice } from "../../../packages/doomloop/src/fleet/process/store-fleet-options.ts";
import { report, tell } from "../../contracts/fleet.ts";
import { isInstalled, type Server, startServer } from "../servers/server.ts";
import { closeFleets, flushAll, newFleet, newTenant } from "./fleets.ts";
import { clientFamilies, type OpenClient } from "./store-clients.ts";

const key = "a secret of the tests, long enough";

describe.skipIf(!isInstalled("redis"))("the settings of a fleet, and what clients do to them", () => {
  let server: Server;
  beforeAll(async () => {
    server = await startServer("redis");
  });
  afterEach(closeFleets);
  afterAll(() => server.stop());

  describe.each(clientFamilies)("through $name", (family) => {
    let open: OpenClient;
    beforeAll(async () => {
      open = await family.standalone(server.port);
    });
    afterAll(() => open.close());

    it.each<[string, Partial<RedisFleetOptions>]>([
      ["key", { key: "another secret of the tests" }],
      ["calls", { calls: 20 }],
      ["windowMs", { windowMs: 60_000 }],
    ])("reports once to each fleet that they differ in %s, until they agree", async (name, options) => {
      const tenant = newTenant();
      const told: FleetNotice[] = [];
      const states: string[] = [];
      const onState = (state: string) => states.push(state);
      const first = newFleet(open.client, { tenant, heartbeatMs: 3_600_000 });
      await first.flush();
      const other = newFleet(open.client, {
        ...{ tenant, onNotice: (notice) => told.push(notice), observer: { onState, onFlush() {} } },
        ...options,
      });
      await flushAll(other, other);
      expect(told).toEqual([{ kind: "settings-differ", settings: [name] }]);
      expect(states.at(-1)).toBe("mismatch");

      // An operator decides by deleting the settings: the next heartbeat writes new ones.
      await server.ask("DEL", `dl3:{${tenant}}:settings`);
      await flushAll(other, other);
      expect([told.length, states.at(-1)]).toEqual([1, "connected"]);
    });
  });

  it.each([
    ["ioredis", () => new Redis({ port: server.port, keyPrefix: "app:", lazyConnect: true })],
    ["iovalkey", () => new Iovalkey({ port: server.port, keyPrefix: "app:", lazyConnect: true })],
    [
      "a Cluster of ioredis",
      () => new IoredisCluster([{ port: server.port }], { keyPrefix: "app:", lazyConnect: true }),
    ],
    [
      "a Cluster of ioredis whose nodes have one",
      () => new IoredisCluster([{ port: server.port }], { redisOptions: { keyPrefix: "app:" }, lazyConnect: true }),
    ],
  ])("refuses %s with a keyPrefix, whose keys no operator would see", (_, create) => {
    const client = create();

    expect(() => createRedisFleet({ client, key })).toThrow("fleet: client: one without keyPrefix is required");
    client.disconnect();
  });

  it("understands replies in bytes", async () => {
    const client = createClient({
      socket: { host: "127.0.0.1", port: server.port },
      commandOptions: { typeMapping: { [RESP_TYPES.BLOB_STRING]: Buffer } },
    });
    await client.connect();
    const tenant = newTenant();
    const [one, two, three] = [1, 2, 3].map(() => newFleet(client, { tenant, calls: 2 }));
    await server.ask("SET", `dl:{${tenant}}:switch`, "shadow");
    for (const [at, fleet] of [one!, two!].entries()) tell(fleet.join({ worker: String(at) }), report(0));
    await flushAll(one!, two!, three!);

    expect(three!.findings()).toMatchObject([{ tool: "fetch", calls: 2, workers: 2 }]);
    expect(three!.stats()).toMatchObject({ store: "connected", mode: "shadow", faults: 0 });
    client.destroy();
  });

  it("uses the database of the address", async () => {
    const client = new Redis(`redis://127.0.0.1:${server.port}/3`);
    const other = createClient({ url: `redis://127.0.0.1:${server.port}/3` });
    await Promise.all([once(client, "ready"), other.connect()]);
    const tenant = newTenant();
    const [one, two] = [newFleet(client, { tenant, calls: 2 }), newFleet(other, { tenant, calls: 2 })];
    for (const [at, fleet] of [one, two].entries()) tell(fleet.join({ worker: String(at) }), report(0));
    await flushAll(one, two, one);

    expect(one.findings()).toMatchObject([{ calls: 2, workers: 2 }]);
    expect(await server.ask("EXISTS", `dl3:{${tenant}}:settings`)).toBe("0");
    expect(await server.ask("-n", "3", "EXISTS", `dl3:{${tenant}}:settings`)).toBe("1");
    client.disconnect();
    other.destroy();
  });

  it("connects a client that connects lazily", async () => {
    const client = new Redis({ port: server.port, lazyConnect: true });
    const fleet = newFleet(client);
    tell(fleet.join({ worker: "one" }), report(0));
    await fleet.flush();

    expect(fleet.stats()).toMatchObject({ store: "connected", delivered: 1, faults: 0 });
    client.disconnect();
  });
});
