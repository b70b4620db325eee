import type { StoreFleet } from "doomloop/fleet";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { FleetNotice } from "../../../packages/doomloop/src/fleet/process/store-fleet-options.ts";
import { fingerprint, report, reports, tell } from "../../contracts/fleet.ts";
import { type FaultProxy, startFaultProxy } from "../fault-proxy/fault-proxy.ts";
import { isInstalled, type Server, startServer } from "../servers/server.ts";
import { until } from "../servers/until.ts";
import { closeFleets, flushAll, newFleet, newTenant } from "./fleets.ts";
import { clientFamilies, type OpenClient } from "./store-clients.ts";

describe.skipIf(!isInstalled("redis")).each(clientFamilies)("a store that is away, through $name", (family) => {
  let server: Server;
  let proxy: FaultProxy;
  let open: OpenClient;
  beforeEach(async () => {
    server = await startServer("redis");
    proxy = await startFaultProxy(server.port);
    open = await family.standalone(proxy.port);
  });
  afterEach(async () => {
    server.resume();
    await closeFleets();
    await open.close();
    await proxy.stop();
    await server.stop();
  });
  const connections = async () => (await server.ask("CLIENT", "LIST")).trim().split("\n").length;
  /** Flushes until the fleet has noticed that the store does not answer. */
  const noticed = (fleet: StoreFleet) =>
    until("the outage is noticed", () => fleet.flush().then(() => fleet.stats().store === "away"));

  it("is reported once, keeps nobody waiting, and reconnects without help", async () => {
    const notices: FleetNotice[] = [];
    const fleet = newFleet(open.client, {
      ...{ calls: 4, deadlineMs: 200, maxStoppedShare: 0.5 },
      onNotice: (notice) => notices.push(notice),
    });
    const [one, two] = [fleet.join({ worker: "one" }), fleet.join({ worker: "two" })];
    await until("the store is there", () => fleet.stats().store === "connected");

    notices.splice(0);
    server.pause();
    tell(one, ...reports(20));
    tell(two, ...reports(20));
    // A process needs no store for what it sees by itself.
    expect(one.verdict(fingerprint(0))).toMatchObject({ calls: 40, workers: 2 });
    await noticed(fleet);
    expect([one.mayStop?.(), two.mayStop?.()]).toEqual([true, false]);
    expect(notices).toEqual([{ kind: "store-away", reason: "no reply within 200 ms" }]);

    server.resume();
    await until("the store is back", () => fleet.stats().store === "connected");
    expect(notices.at(-1)).toEqual({ kind: "store-back", awayMs: expect.any(Number) });
    await until("what was under way has arrived", () => fleet.stats().delivered + fleet.stats().lost === 40);
  });

  it("does not use what other processes reported while they cannot clear it", async () => {
    const tenant = newTenant();
    const [one, two] = [1, 2].map(() => newFleet(open.client, { tenant, calls: 2, deadlineMs: 200 }));
    const member = one!.join({ worker: "one" });
    await until("both have told", async () => {
      tell(member, report(0));
      tell(two!.join({ worker: "two" }), report(0));
      await flushAll(one!, two!, one!);
      return member.verdict(fingerprint(0)) !== undefined;
    });
    server.pause();
    await noticed(one!);

    expect(member.verdict(fingerprint(0))).toBeUndefined();
  });

  it("has its late replies accepted, and other processes learn what they say", async () => {
    const tenant = newTenant();
    const direct = await family.standalone(server.port);
    const [two, three] = [1, 2].map(() => newFleet(direct.client, { tenant, calls: 2 }));
    tell(two!.join({ worker: "two" }), report(0));
    await flushAll(two!, three!);
    const late = newFleet(open.client, { tenant, calls: 2, deadlineMs: 200 });
    await until("the store is there", () => late.stats().store === "connected");
    await proxy.setFault({ kind: "late-replies" });
    tell(late.join({ worker: "late" }), report(0));
    await until("the reply is late", () =>
      late.flush().then(() => late.stats().timeouts > 0 && late.stats().queued === 0),
    );
    await three!.flush();
    expect(three!.findings()).toEqual([]);

    await proxy.setFault({ kind: "pass" });
    await until("the late reply is taken", () => late.stats().delivered === 1);
    await until("all know", () => three!.flush().then(() => three!.findings().length === 1));
    await direct.close();
  });

  it("is visible to an observer: reports, states and the end", async () => {
    const flushes: { durationMs: number; reports: number; outcome: string }[] = [];
    const states: string[] = [];
    const observer = {
      onFlush: (flush: (typeof flushes)[number]) => flushes.push(flush),
      onState: (state: string) => states.push(state),
    };
    const fleet = newFleet(open.client, { deadlineMs: 200, observer });
    tell(fleet.join({ worker: "one" }), ...reports(3));
    await until("it is delivered", () => fleet.flush().then(() => flushes.length > 0));
    expect(flushes).toMatchObject([{ reports: 3, outcome: "delivered" }]);
    await proxy.setFault({ kind: "delay", delayMs: 30 });
    tell(fleet.join({ worker: "one" }), ...reports(1, 3));
    await until("it is delivered", () => fleet.flush().then(() => flushes.length > 1));
    // Each way takes 30 ms, and a timer may fire 1 ms early.
    expect(flushes[1]!.durationMs).toBeGreaterThan(58);
    await proxy.setFault({ kind: "pass" });
    await until("the store is there", () => states.at(-1) === "connected");
    states.splice(0);
    server.pause();
    await noticed(fleet);
    await fleet.flush();
    expect(states).toEqual(["degraded"]);
    server.resume();
    await until("the store is back", () => fleet.flush().then(() => states.at(-1) === "connected"));
    await fleet.close();
    expect(states.at(-1)).toBe("ended");
  });

  it("is found again after it was killed and restarted", async () => {
    const tenant = newTenant();
    const [one, two] = [1, 2].map(() => newFleet(open.client, { tenant, calls: 2, deadlineMs: 200 }));
    tell(one!.join({ worker: "one" }), report(0));
    await one!.flush();
    await server.kill();
    await noticed(one!);
    await server.restart();
    let id = 1;

    // The server's data is lost, and so are reports from while it was away.
    await until("the fleets count again", async () => {
      tell(one!.join({ worker: "one" }), report(id));
      tell(two!.join({ worker: "two" }), report(id++));
      await flushAll(one!, two!);
      return two!.findings().length > 0;
    });
  });

  it("leaves no connection behind", async () => {
    const before = await connections();
    const fleet = newFleet(open.client, { deadlineMs: 200 });
    tell(fleet.join({ worker: "one" }), report(0));
    await fleet.flush();
    server.pause();
    await noticed(fleet);
    server.resume();
    await until("the store is back", () => fleet.stats().store === "connected");
    await fleet.close();

    await until("only the caller's connection is left", async () => (await connections()) <= before);
  });
});
