import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { report, reports, tell } from "../../contracts/fleet.ts";
import { type FaultProxy, startFaultProxy } from "../fault-proxy/fault-proxy.ts";
import { isInstalled } from "../servers/engine.ts";
import { type Server, startServer } from "../servers/server.ts";
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
    const [key] = (await server.ask("KEYS", `dl1:{${tenant}:0}*`)).split("\n");
    return Number(await server.ask("ZCOUNT", key!, "1", String(2 ** 43)));
  };

  it("delivers what a worker reports that is closed at once", async () => {
    const tenant = newTenant();
    open = await family.connecting(server.port);
    const fleet = newFleet(open.client, { tenant });
    tell(fleet.join({ worker: "short-lived" }), ...reports(10));
    await fleet.close();

    expect(fleet.stats()).toMatchObject({ reported: 10, delivered: 10, lost: 0, queued: 0 });
    expect(await storedCalls(tenant)).toBe(10);
  });

  // A deadline is kept by the clock: a machine that stands still for half a second is no fault of the fleet's.
  it("delivers although it takes longer to connect than a reply may take", { retry: 4 }, async () => {
    // So that the server knows the scripts: to send them takes another journey.
    const before = await family.standalone(server.port);
    const first = newFleet(before.client);
    tell(first.join({ worker: "one" }), report(0));
    await first.close();
    await before.close();

    const tenant = newTenant();
    await proxy.setFault({ kind: "delay", delayMs: 150 });
    open = await family.connecting(proxy.port);
    const fleet = newFleet(open.client, { tenant, deadlineMs: 1_050 });
    tell(fleet.join({ worker: "short-lived" }), ...reports(10));
    await fleet.close();

    expect(fleet.stats()).toMatchObject({ delivered: 10, lost: 0 });
    expect(await storedCalls(tenant)).toBe(10);
  });

  it("keeps nobody for longer than three deadlines where nobody answers, and says what was lost", async () => {
    server.pause();
    open = await family.connecting(server.port);
    const fleet = newFleet(open.client, { deadlineMs: 200 });
    tell(fleet.join({ worker: "short-lived" }), ...reports(10));
    expect(fleet.stats()).toMatchObject({ reported: 10, lost: 0 });
    // Timers that are late together: a busy machine keeps both from going on.
    const threeDeadlines = async () => {
      for (let deadline = 0; deadline < 3; deadline++) await wait(200);
      return wait(1_000, "late");
    };

    expect(await Promise.race([fleet.close().then(() => "closed"), threeDeadlines()])).toBe("closed");
    expect(fleet.stats()).toMatchObject({ reported: 10, delivered: 0, lost: 10, queued: 0 });
  });
});
