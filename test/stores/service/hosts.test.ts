import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { engines, freePorts, isInstalled, type Server, startServer } from "../servers/server.ts";
import { until } from "../servers/until.ts";
import { type HostService, startHost } from "./host.ts";

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

const messagesOf = ({ notes }: HostService): unknown[] =>
  notes.flatMap(({ event, message }) => (event === "fleet" ? [message] : []));
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
    const clients = (await server.ask("CLIENT", "LIST")).split("\n").filter((line) => !line.includes("cmd=client"));
    expect(clients).toHaveLength(2);
    const found = () => [one, two].flatMap(({ notes }) => notes.filter(({ event }) => event === "dead-end"));
    await until("a note of it", () => found().length > 0);
    expect(found()).toMatchObject([{ tool: "fetch", processes: 2 }]);
  });

  it("tell runs of one host about each other at once, each as a worker of its own", async () => {
    const host = await start(url, ["--tenant", "one-host"]);
    for (let run = 0; run < 10; run++) await host.fail(`a${run}`, GONE);
    const [told] = await host.fail("new", GONE);

    expect(told).toMatchObject({ finding: { kind: "fleet" } });
    expect(told!.message).toMatch(/\b10 workers\b/);
  });

  it.each(["ioredis", "iovalkey", "redis"])(
    "start before the store does, say once that it is away, and that it is back, through %s",
    async (client) => {
      const [port = 0] = await freePorts(1);
      const host = await start(`redis://127.0.0.1:${port}`, [], client);
      for (let run = 0; run < 10; run++) await host.fail(`a${run}`, GONE);
      expect((await host.fail("new", GONE))[0]).toMatchObject({ action: "nudge" });
      await until("away", () => messagesOf(host).length > 0);
      expect(await host.get("/readyz")).toBe('{"status":"ok"}');
      const late = await startServer(engine, { port });
      await until("connected", () => isConnected(host));

      expect(messagesOf(host)).toEqual([expect.stringContaining("the store does not"), "the store answers again"]);
      await late.stop();
    },
  );
});
