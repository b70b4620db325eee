import { setTimeout as wait } from "node:timers/promises";
import { createClient, createCluster } from "redis";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { FleetNotice } from "../../../packages/doomloop/src/fleet/process/store-fleet-options.ts";
import { fingerprint, reports, tell } from "../../contracts/fleet.ts";
import { type FaultProxy, startFaultProxy } from "../fault-proxy/fault-proxy.ts";
import { isInstalled, type Server, startServer } from "../servers/server.ts";
import { until } from "../servers/until.ts";
import { closeFleets, newFleet, newTenant } from "./fleets.ts";
import { clientFamilies, type OpenClient } from "./store-clients.ts";

describe.skipIf(!isInstalled("redis")).each(clientFamilies)("a $name that is still connecting", (family) => {
  let server: Server;
  let proxy: FaultProxy;
  let open: OpenClient | undefined;
  beforeEach(async () => {
    server = await startServer("redis");
    proxy = await startFaultProxy(server.port);
  });
  afterEach(async () => {
    server.resume();
    await closeFleets();
    await open?.close();
    open = undefined;
    await proxy.stop();
    await server.stop();
  });
  const storedCalls = async (tenant: string) => {
    const keys = (await server.ask("KEYS", `dl3:{${tenant}:*:c`)).split("\n");
    return Number(await server.ask("PFCOUNT", ...keys));
  };

  it("delivers the reports of a worker that closes at once, however long connecting takes", async () => {
    for (const delayMs of [0, 100]) {
      const tenant = newTenant();
      await proxy.setFault({ kind: "delay", delayMs });
      open = await family.connecting(proxy.port);
      const fleet = newFleet(open.client, { tenant });
      tell(fleet.join({ worker: "short-lived" }), ...reports(10));
      await fleet.close();
      await open.close();
      open = undefined;

      expect(fleet.stats()).toMatchObject({ reported: 10, delivered: 10, lost: 0, queued: 0 });
      // The store counts distinct calls approximately.
      expect(Math.abs((await storedCalls(tenant)) - 10)).toBeLessThanOrEqual(1);
    }
  });

  it("delays nobody for longer than a deadline if the store does not answer", async () => {
    server.pause();
    open = await family.connecting(server.port);
    const fleet = newFleet(open.client, { deadlineMs: 200 });
    tell(fleet.join({ worker: "short-lived" }), ...reports(10));
    // Compared with another timer, because a busy machine delays both.
    const threeDeadlines = async () => {
      for (let deadline = 0; deadline < 3; deadline++) await wait(200);
      return "late";
    };

    expect(await Promise.race([fleet.close().then(() => "closed"), threeDeadlines()])).toBe("closed");
    expect(fleet.stats()).toMatchObject({ reported: 10, delivered: 0, queued: 0 });
  });
});

describe("a node-redis client that nobody has connected", () => {
  afterEach(closeFleets);

  it.each([
    ["createClient", () => createClient({ url: "redis://127.0.0.1:6379" })],
    ["createCluster", () => createCluster({ rootNodes: [{ url: "redis://127.0.0.1:6379" }] })],
  ])("is reported, and the process works on its own: %s", async (_, create) => {
    const notices: FleetNotice[] = [];
    const fleet = newFleet(create(), { calls: 2, onNotice: (notice) => notices.push(notice) });
    const members = ["one", "two"].map((worker) => fleet.join({ worker }));
    for (const member of members) tell(member, ...reports(3));
    await until("it is noticed", () => fleet.flush().then(() => notices.length > 0));

    expect(notices).toEqual([{ kind: "store-away", reason: expect.stringMatching(/closed|connect/i) }]);
    expect(members[0]!.verdict(fingerprint(0))).toMatchObject({ calls: 6, workers: 2 });
    expect(fleet.stats()).toMatchObject({ store: "away", lost: 6, queued: 0 });
  });
});
