import { once } from "node:events";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { engines, isInstalled, type Server, startServer } from "../servers/server.ts";
import { runDoomloop } from "./run-doomloop.ts";
import { createStuckFleet, type StuckFleet } from "./stuck-fleet.ts";

const tenant = "research";
const gone = { url: "https://docs.example/gone" };

describe.each(engines.filter(isInstalled))("doomloop fleet top on %s", (engine) => {
  let server: Server;
  let client: Redis;
  let swarm: StuckFleet;
  beforeAll(async () => {
    server = await startServer(engine);
    client = new Redis({ port: server.port });
    client.on("error", () => {});
    await once(client, "ready");
    swarm = createStuckFleet(client, 3, { tenant });
    swarm.fail(4, "fetch_page", gone);
    swarm.fail(2, "search", { query: "a way out" });
    swarm.fail(3, "browse", gone);
    await swarm.settle();
    // One is counted but not enough for new entries in the news; the other is cleared, which the news says.
    swarm.fail(1, "fetch_page", gone);
    swarm.succeed("browse", gone);
    await swarm.settle();
  });
  afterAll(async () => {
    await swarm?.close();
    client?.disconnect();
    await server?.stop();
  });
  const top = (...words: string[]) => runDoomloop(`redis://127.0.0.1:${server.port}`, ["top", ...words]);

  it.each(["ioredis", "iovalkey", "redis"])("shows what gets nobody further now, through %s", async (name) => {
    const { code, stdout, stderr } = await top("--tenant", tenant, "--client", name);
    const lines = stdout.split("\n");

    expect(lines).toEqual([
      "1 dead end | switch not set (on) | 3 runs active",
      "",
      "tool        calls  processes  counts for  call",
      expect.stringMatching(/^fetch_page {5}15 {10}3 [ \dmins]{11} {2}[\w-]{8}$/),
      "",
      "1 suspect: a dead end takes 10 calls by 2 processes",
      expect.stringMatching(/^search {10}6 {10}3 {2}/),
      "",
      "Counts that were cleared, and by which process",
      expect.stringMatching(/^browse [\w-]{8}: 1 time, by [\w-]{11}$/),
      "",
    ]);
    expect([code, stderr]).toEqual([0, ""]);
  });

  it("shows all of them, however many pages the news has, with counts up to the limit", async () => {
    const many = createStuckFleet(client, 2, { tenant: "many", calls: 2 });
    for (let page = 0; page < 150; page++) many.fail(2, "fetch", { url: `https://docs.example/${page}` });
    many.fail(70, "look_up", {});
    await many.settle();
    await many.close();
    const lines = (await top("--tenant", "many")).stdout.trimEnd().split("\n");

    expect(lines[0]).toMatch(/^151 dead ends \| /);
    expect(lines).toHaveLength(3 + 151);
    expect(lines[3]).toMatch(/^look_up +100\+ +2 /);
  });

  it("needs only the right to read, and no key", async () => {
    const reads = ["+mget", "+getrange", "+strlen", "+time", "+pfcount", "+pttl"];
    const connects = ["+info", "+hello", "+ping", "+client|setname"];
    const keys = [`~dl3:{${tenant}*`, `~dl:{${tenant}*`];
    expect(
      await server.ask(
        "ACL",
        "SETUSER",
        "reader",
        "on",
        ">hunter2",
        "resetkeys",
        ...keys,
        "-@all",
        ...reads,
        ...connects,
      ),
    ).toBe("OK");
    const read = (of: string) =>
      runDoomloop(`redis://reader:hunter2@127.0.0.1:${server.port}`, ["top", "--tenant", of]);

    expect((await read(tenant)).stdout).toMatch(/^1 dead end \| /);
    const { code, stdout, stderr } = await read("other");
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^doomloop: cannot read the store: NOPERM /);
    expect(stderr).not.toContain("hunter2");
  });

  it("escapes the name of a tool that somebody wrote into the store", async () => {
    const name = "a-name-of-22-charact__";
    const [seconds] = await client.time();
    const line = JSON.stringify([Number(seconds) * 1000, name, "rm\u001b[2J\u202e\nfetch", 12, 2, 60_000]);
    await client.set("dl3:{tampered}:settings", "key=0c4bb119 calls=10 workers=2 windowMs=300000 countAll=false");
    await client.append(`dl3:{tampered}:news:${Math.floor(Number(seconds) / 300)}`, `${line}\n`);
    await client.pfadd(`dl3:{tampered:${name}}:c`, ...Array.from({ length: 12 }, (_, at) => at));
    await client.pfadd(`dl3:{tampered:${name}}:w`, "one", "two");
    const { stdout } = await top("--tenant", "tampered");

    expect(stdout).toMatch(/^rm\\u\{1b\}\[2J\\u\{202e\}\\u\{a\}fetch +12 +2 /m);
    expect([...stdout].filter((character) => character < " " && character !== "\n")).toEqual([]);
  });

  it("tells a swarm without workers from a healthy one", async () => {
    const well = createStuckFleet(client, 1, { tenant: "well" });
    await well.settle();
    await well.close();

    expect((await top("--tenant", "well")).stdout).toBe("No dead ends | switch not set (on) | 0 runs active\n");
    expect((await top("--tenant", "typo")).stdout).toBe(
      "No worker has connected yet | switch not set (on) | 0 runs active\n",
    );
  });
});
