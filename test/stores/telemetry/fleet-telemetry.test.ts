import { once } from "node:events";
import { createRedisFleet, type RedisFleetOptions, type StoreFleet } from "doomloop/fleet";
import { createTelemetry } from "doomloop/telemetry";
import { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { reports, tell } from "../../contracts/fleet.ts";
import { createRecordingMeter } from "../../recording-meter.ts";
import { newTenant } from "../clients/fleets.ts";
import { engines, isInstalled, type Server, startServer } from "../servers/server.ts";
import { until } from "../servers/until.ts";

const key = "a secret of the tests, long enough";

describe.each(engines.filter(isInstalled))("the telemetry of a fleet on %s", (engine) => {
  let server: Server;
  let client: Redis;
  const opened: StoreFleet[] = [];
  beforeAll(async () => {
    server = await startServer(engine);
    client = new Redis({ port: server.port });
    client.on("error", () => {});
    await once(client, "ready");
  });
  afterEach(() => Promise.all(opened.splice(0).map((fleet) => fleet.close())));
  afterAll(async () => {
    client?.disconnect();
    await server?.stop();
  });

  /** A fleet, and what its telemetry shows. */
  function newFleet(options: Partial<RedisFleetOptions> = {}) {
    const { provider, gauges, totals } = createRecordingMeter();
    const observer = createTelemetry({ meterProvider: provider }).observeFleet();
    const tenant = newTenant();
    const fleet = createRedisFleet({ client, key, tenant, heartbeatMs: 100, deadlineMs: 5_000, observer, ...options });
    opened.push(fleet);
    const shownBy = (gauge: string) => {
      const found = Object.entries(gauges()).find(([name, fleets]) => fleets > 0 && name.startsWith(`${gauge}{`));
      return /=(\w+)}$/.exec(found?.[0] ?? "")?.[1];
    };
    const state = () => shownBy("doomloop.fleet.state");
    const mode = () => shownBy("doomloop.fleet.mode");
    const isIn = (expected: string | undefined) => expect.poll(state, { timeout: 120_000 }).toBe(expected);
    const sent = (outcome: string) => totals()[`doomloop.fleet.reports{doomloop.flush.outcome=${outcome}}`] ?? 0;
    return { fleet, tenant, isIn, mode, sent };
  }

  it("shows the state of the fleet until it is closed", async () => {
    const { fleet, tenant, isIn, mode } = newFleet();
    await isIn("connected");
    for (const wanted of ["off", "shadow", "on"]) {
      await server.ask("SET", `dl:{${tenant}}:switch`, wanted);
      await expect.poll(mode, { timeout: 120_000 }).toBe(wanted);
      await isIn("connected");
    }
    await fleet.close();
    await isIn(undefined);
  });

  it("shows that workers have different settings, until they agree", async () => {
    const first = newFleet();
    await first.isIn("connected");
    const other = newFleet({ tenant: first.tenant, calls: 5 });
    await other.isIn("mismatch");
    await first.fleet.close();
    await server.ask("DEL", `dl3:{${first.tenant}}:settings`);
    await other.isIn("connected");
  });

  it("shows that the store rejects reports, and that it accepts them again even if there are none", async () => {
    const { fleet, isIn, sent } = newFleet({ windowMs: 2_000 });
    await isIn("connected");
    await server.ask("CONFIG", "SET", "maxmemory", "1");
    tell(fleet.join({ worker: "one" }), ...reports(3));
    await isIn("degraded");
    await until("its run is forgotten", () => fleet.stats().runs.active === 0);
    await isIn("degraded");
    expect([sent("failed"), sent("delivered")]).toEqual([3, 0]);
    await server.ask("CONFIG", "SET", "maxmemory", "0");
    await isIn("connected");
  });

  it("shows nothing after a fleet was closed while the store did not answer", async () => {
    const { fleet, isIn } = newFleet({ deadlineMs: 100 });
    await isIn("connected");
    server.pause();
    tell(fleet.join({ worker: "one" }), ...reports(3));
    await isIn("degraded");
    await fleet.close();
    server.resume();
    await server.ask("PING");
    await client.ping();
    await isIn(undefined);
  });
});
