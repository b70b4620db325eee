import { setTimeout as wait } from "node:timers/promises";
import { GlideClient } from "@valkey/valkey-glide";
import type { FleetNotice } from "doomloop/fleet";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fingerprint, report, reports, tell } from "../../contracts/fleet.ts";
import { startFaultProxy } from "../fault-proxy/fault-proxy.ts";
import { isInstalled } from "../servers/engine.ts";
import { type Server, startServer } from "../servers/server.ts";
import { until } from "../servers/until.ts";
import { closeFleets, newFleet } from "./fleets.ts";
import { clientFamilies, type OpenClient } from "./store-clients.ts";

describe.skipIf(!isInstalled("redis")).each(clientFamilies)("a store that is away, through $name", (family) => {
  let server: Server;
  let open: OpenClient;
  beforeEach(async () => {
    server = await startServer("redis");
    open = await family.standalone(server.port);
  });
  afterEach(async () => {
    server.resume();
    await closeFleets();
    await open.close();
    await server.stop();
  });
  const connections = async () => (await server.ask("CLIENT", "LIST")).trim().split("\n").length;

  it("is told of once, keeps nobody waiting, and has counted everything once when it is back", async () => {
    const notices: FleetNotice[] = [];
    const fleet = newFleet(open.client, { calls: 4, deadlineMs: 100, onNotice: (notice) => notices.push(notice) });
    const [one, two] = [fleet.join({ worker: "one" }), fleet.join({ worker: "two" })];
    tell(one, ...reports(2));
    tell(two, ...reports(2));
    await fleet.flush();
    expect(one.verdict(fingerprint(0))).toMatchObject({ calls: 4 });

    server.pause();
    tell(one, ...reports(20, 2));
    tell(two, ...reports(20, 2));
    // Nobody answers while this goes on: whoever waited for the store would have lost something by now.
    expect(fleet.stats()).toMatchObject({ reported: 44, delivered: 4, lost: 0 });
    await until("the outage is noticed", () => notices.length > 0);
    expect([one.verdict(fingerprint(0)), one.mayStop?.(), fleet.stats().store]).toEqual([
      undefined,
      true,
      expect.stringMatching(/open/),
    ]);
    await wait(500);
    expect(notices).toEqual([{ kind: "store-away", reason: expect.any(String) }]);

    server.resume();
    await until("the store is back", () => notices.length > 1);
    await until("everything is delivered", () => fleet.stats().queued + fleet.stats().underWay === 0);
    await fleet.flush();
    expect(notices.at(-1)).toEqual({ kind: "store-back", awayMs: expect.any(Number) });
    expect(one.verdict(fingerprint(0))).toMatchObject({ calls: 44, workers: 2 });
    expect(fleet.stats()).toMatchObject({ reported: 44, delivered: 44, lost: 0 });
  });

  it("shows in what an observer is told: batches, states and the end", async () => {
    const flushes: string[] = [];
    const states: string[] = [];
    const observer = {
      onFlush: ({ reports: sent, outcome }: { reports: number; outcome: string }) =>
        void flushes.push(`${sent} ${outcome}`),
      onState: (state: string) => void (states.at(-1) !== state && states.push(state)),
    };
    const fleet = newFleet(open.client, { deadlineMs: 100, observer });
    tell(fleet.join({ worker: "one" }), ...reports(3));
    await fleet.flush();
    expect(flushes).toEqual(["3 delivered"]);
    server.pause();
    tell(fleet.join({ worker: "two" }), ...reports(1));
    await until("the outage is noticed", () => states.includes("degraded"));
    server.resume();
    await until("the store is back", () => states.at(-1) === "connected");
    await fleet.close();

    expect(states).toEqual(["connected", "degraded", "connected", "off"]);
    expect(flushes).toContain("1 delivered");
  });

  it("is tried again for what a flush could not deliver, although nobody reports any more", async () => {
    const fleet = newFleet(open.client, { deadlineMs: 100 });
    await fleet.flush();
    server.pause();
    tell(fleet.join({ worker: "one" }), report(0));
    await fleet.flush();
    expect(fleet.stats()).toMatchObject({ delivered: 0, queued: 1 });
    server.resume();

    await until("it is delivered", () => fleet.stats().delivered === 1);
  });

  it("is found again after it was killed and started anew", async () => {
    const fleet = newFleet(open.client, { calls: 2, deadlineMs: 100 });
    const [one, two] = [fleet.join({ worker: "one" }), fleet.join({ worker: "two" })];
    tell(one, report(0));
    await fleet.flush();
    await server.kill();
    tell(one, report(1));
    await fleet.flush();
    await server.restart();
    tell(two, report(1));

    // What the server had is lost: of the three calls, two can be counted.
    await until("the fleet counts again", () => one.verdict(fingerprint(0)) !== undefined);
    expect(one.verdict(fingerprint(0))).toMatchObject({ calls: 2, workers: 2 });
  });

  it("leaves no connection behind", async () => {
    const before = await connections();
    const fleet = newFleet(open.client, { deadlineMs: 50 });
    tell(fleet.join({ worker: "one" }), report(0));
    await fleet.flush();
    server.pause();
    tell(fleet.join({ worker: "one" }), report(1));
    await fleet.flush();
    await wait(200);
    server.resume();
    await until("the store is back", () => fleet.flush().then(() => fleet.stats().queued === 0));
    await fleet.close();

    await until("only the caller's connection is left", async () => (await connections()) <= before);
  });
});

describe.skipIf(!isInstalled("redis"))("a connection that fell silent, through valkey-glide", () => {
  it("is given up for one that the caller knows how to make", async () => {
    const server = await startServer("redis");
    const proxy = await startFaultProxy(server.port);
    const copyClient = () => GlideClient.createClient({ addresses: [{ host: "127.0.0.1", port: proxy.port }] });
    const client = await copyClient();
    try {
      const fleet = newFleet(client, { copyClient, deadlineMs: 100 });
      const member = fleet.join({ worker: "one" });
      tell(member, report(0));
      await fleet.flush();
      await proxy.setFault({ kind: "blackhole" });
      tell(member, report(1));
      await fleet.flush();
      await wait(500);
      await proxy.setFault({ kind: "pass" });

      await until("all is delivered", () => fleet.stats().delivered === 2);
      expect(fleet.stats().droppedSockets).toBeGreaterThan(0);
    } finally {
      await closeFleets();
      client.close();
      await proxy.stop();
      await server.stop();
    }
  });
});
