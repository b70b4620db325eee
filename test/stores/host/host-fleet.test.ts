import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { engines, freePorts, isInstalled, type Server, startServer } from "../servers/server.ts";
import { until } from "../servers/until.ts";
import { type HostService, startHost } from "./service-process.ts";

const GONE = "https://docs.example/gone";
const hosts: HostService[] = [];
afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.stop()));
});

async function start(...given: Parameters<typeof startHost>): Promise<HostService> {
  const host = await startHost(...given);
  hosts.push(host);
  return host;
}

const noticesOf = ({ notes }: HostService): unknown[] =>
  notes.flatMap(({ event, notice }) => (event === "fleet" ? [(notice as { kind: string }).kind] : []));

/** Makes the same call until a decision is what the test waits for. */
async function askUntil(host: HostService, run: string, isWanted: (actions: readonly string[]) => boolean) {
  await until(`a decision for ${run}`, async () => isWanted((await host.fail(run, GONE)).map(({ action }) => action)), {
    everyMs: 200,
  });
}

const isConnected = async (host: HostService): Promise<boolean> =>
  (await host.get("/metrics"))!.includes('doomloop_fleet_state{doomloop_fleet_state="connected"} 1');

describe.each(engines.filter(isInstalled))("services of several hosts in one fleet, on %s", (engine) => {
  let server: Server;
  let url: string;
  beforeAll(async () => {
    server = await startServer(engine);
    url = `redis://127.0.0.1:${server.port}`;
  });
  afterAll(() => server?.stop());

  it("tell a run of one host what runs of both ran into, over one connection each", async () => {
    const [one, two] = await Promise.all([start(url), start(url)]);
    for (let run = 0; run < 50; run++) await one.fail(`a${run}`, `https://docs.example/${run}`);
    for (let run = 0; run < 6; run++) await one.fail(`a${run}`, GONE);
    for (let run = 0; run < 6; run++) await two.fail(`b${run}`, GONE);
    await until("a dead end", async () => (await two.get("/metrics"))!.includes("doomloop_fleet_dead_ends 1"));
    const [told] = await two.fail("new", GONE);

    expect(told).toMatchObject({ action: "nudge", finding: { kind: "fleet" } });
    expect(told!.message).toContain("12 ");
    const clients = (await server.ask("CLIENT", "LIST")).split("\n").filter((line) => !line.includes("cmd=client"));
    expect(clients).toHaveLength(2);
    const found = () => [one, two].flatMap(({ notes }) => notes.filter(({ event }) => event === "dead-end"));
    await until("a note of it", async () => found().length > 0);
    expect(found()).toMatchObject([{ tool: "fetch", calls: 12, processes: 2 }]);
  });

  it("tell runs of one host about each other at once, each as a worker of its own", async () => {
    const host = await start(url, ["--tenant", "one-host"]);
    for (let run = 0; run < 10; run++) await host.fail(`a${run}`, GONE);
    const [told] = await host.fail("new", GONE);

    expect(told).toMatchObject({ finding: { kind: "fleet" } });
    expect(told!.message).toMatch(/\b10 workers\b/);
  });

  it("fall silent for all runs when an operator switches the fleet off, and speak again", async () => {
    const host = await start(url, ["--tenant", "switched"]);
    await askUntil(host, "before", (actions) => actions.includes("nudge"));
    await server.ask("SET", "dl:{switched}:switch", "off");
    await until("off", () => noticesOf(host).includes("mode"));
    const silent = [];
    for (let call = 0; call < 12; call++) silent.push(...(await host.fail("during", GONE)));
    await server.ask("SET", "dl:{switched}:switch", "on");

    expect(new Set(silent.map(({ action }) => action))).toEqual(new Set(["continue"]));
    expect(await host.get("/metrics")).toContain('doomloop_fleet_mode{doomloop_fleet_mode="off"} 1');
    await askUntil(host, "after", (actions) => actions.includes("nudge"));
  });

  it("stop no more runs than the fleet permits", async () => {
    const host = await start(url, ["--tenant", "permits"]);
    const calm = Array.from({ length: 40 }, (_, at) => `calm${at}`);
    for (const run of calm) await host.fail(run, `https://docs.example/${run}`);
    await until("the census", async () => Number(await server.ask("EXISTS", "dl3:{permits}:runs")) === 1);
    const stopped = new Set<string>();
    const refused = new Set<string>();
    const lap = async (run: string, at: number): Promise<void> => {
      const call = { type: "call", id: `${at}`, tool: "read_file", args: { path: "notes.md" }, at: at * 5000 };
      const [decision] = await host.send(run, call);
      if (decision!.action === "stop") stopped.add(run);
      const isRefused = decision!.action === "block";
      if (isRefused && at > 80) refused.add(run);
      const output = isRefused ? { output: decision!.message, synthetic: true } : { output: "the same text as before" };
      await host.send(run, { type: "result", id: `${at}`, ...output, at: at * 5000 + 100 });
    };
    const looping = Array.from({ length: 12 }, (_, at) => `loop${at}`);
    for (let at = 1; at <= 200; at++) for (const run of looping) await lap(run, at);
    await until("places", async () => Number(await server.ask("GET", "dl3:{permits}:stops")) >= 12);
    for (let at = 201; at <= 210; at++) for (const run of looping) await lap(run, at);

    // A tenth of 52 active runs, or of fewer that the store knows at the time. A run may be refused until it has its place.
    expect(stopped.size).toBeLessThanOrEqual(5);
    expect(new Set([...stopped, ...refused])).toEqual(new Set(looping));
  });

  it.each(["ioredis", "redis"])("go on without the store, say so once, and come back, through %s", async (client) => {
    const own = await startServer(engine);
    const host = await start(`redis://127.0.0.1:${own.port}`, [], client);
    await until("connected", () => isConnected(host));
    await own.kill();
    await until("away", () => noticesOf(host).includes("store-away"));

    expect(await host.get("/readyz")).toBe('{"status":"ok"}');
    expect(await host.get("/metrics")).toContain('doomloop_fleet_state{doomloop_fleet_state="degraded"} 1');
    await askUntil(host, "alone", (actions) => actions.includes("nudge"));
    await own.restart();
    await until("back", () => noticesOf(host).includes("store-back"));
    await until("connected again", () => isConnected(host));
    expect(noticesOf(host)).toEqual(["store-away", "store-back"]);
    await own.stop();
  });

  it.each(["ioredis", "iovalkey", "redis"])(
    "say once that the store refuses its database, through %s",
    async (client) => {
      const host = await start(`${url}/99`, [], client);
      await until("refused", () => noticesOf(host).length > 0);

      const reason = expect.stringContaining("DB index is out of range");
      expect(host.notes).toMatchObject([{ event: "fleet", notice: { kind: "store-away", reason } }]);
    },
  );

  it.each(["ioredis", "iovalkey", "redis"])("start before the store does, through %s", async (client) => {
    const [port = 0] = await freePorts(1);
    const host = await start(`redis://127.0.0.1:${port}`, [], client);
    await askUntil(host, "alone", (actions) => actions.includes("nudge"));
    await until("away", () => noticesOf(host).includes("store-away"));
    const late = await startServer(engine, { port });
    await until("connected", () => isConnected(host));

    expect(noticesOf(host)).toEqual(["store-away", "store-back"]);
    await late.stop();
  });
});
