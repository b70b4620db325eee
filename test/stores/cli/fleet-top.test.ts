import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { createGuard } from "doomloop";
import { createRedisFleet } from "doomloop/fleet";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call, failure, user } from "../../builders.ts";
import { startCluster } from "../servers/cluster.ts";
import { engines, isInstalled } from "../servers/engine.ts";
import { type Server, startServer } from "../servers/server.ts";

const run = promisify(execFile);
const main = resolve(import.meta.dirname, "../../../packages/doomloop/src/cli/main.ts");
/** The folder in which the clients are installed: the command takes the one of the project that it is called from. */
const project = resolve(import.meta.dirname, "..");
const key = "the key of this deployment";
const tenant = "research";

describe.each(engines.filter(isInstalled))("doomloop fleet top on %s", (engine) => {
  let server: Server;
  let client: Redis;
  let folder: string;
  let keyFile: string;
  beforeAll(async () => {
    server = await startServer(engine);
    client = new Redis({ port: server.port });
    client.on("error", () => {});
    await once(client, "ready");
    folder = mkdtempSync(join(tmpdir(), "doomloop-top-"));
    keyFile = join(folder, "fleet.key");
    writeFileSync(keyFile, `${key}\n`);
    const fleet = createRedisFleet({ client, key, tenant, deadlineMs: 5_000 });
    // A worker names itself: what it says ends up on an operator's terminal.
    const guards = ["ada", "ben\u001b[2J"].map((worker) => createGuard({ fleet: fleet.join({ worker }) }));
    for (const tool of ["fetch_page", "search\u001b]0;owned\u0007"]) {
      for (let round = 0; round < 6; round++) {
        for (const guard of guards) {
          guard.observe(user());
          guard.observe(call(tool, { url: "https://docs.test/gone" }));
          guard.observe(failure("no such page"));
        }
      }
    }
    await fleet.close();
  });
  afterAll(async () => {
    client?.disconnect();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const top = (...words: string[]) => topOf(server.port, ...words);
  const topOf = async (port: number, ...words: string[]) => {
    const all = ["fleet", "top", "--url", `redis://127.0.0.1:${port}`, "--key-file", keyFile, ...words];
    const { stdout } = await run(process.execPath, [main, ...all], { cwd: project, timeout: 300_000 });
    return stdout;
  };

  it.each(["ioredis", "iovalkey", "redis"])("shows who is stuck on what, through %s", async (name) => {
    const lines = (await top("--tenant", tenant, "--client", name)).split("\n");

    expect(lines[0]).toBe("2 dead ends in 5 min, 2 workers stuck | connected");
    expect(lines.find((line) => line.startsWith("fetch_page"))).toMatch(/^fetch_page +12 +2 +.*ada/);
  });

  it("writes nothing to the terminal that its workers could have meant for it", async () => {
    const text = await top("--tenant", tenant);

    expect(text).toContain("ben\\u{1b}[2J");
    expect(text).not.toContain("owned");
    expect([...text].filter((character) => character < " " && character !== "\n")).toEqual([]);
  });

  it("escapes the name of a tool that somebody wrote into the store", async () => {
    const other = "tampered";
    const fleet = createRedisFleet({ client, key, tenant: other, deadlineMs: 5_000 });
    await fleet.flush();
    const keyOf = (name: string) => `dl1:{${other}:control}:${name}`;
    const text = JSON.stringify([12, 12, 2, "rm\u001b[2J\u202e\nfetch", ["ada", "ben"]]);
    await client.hset(keyOf("found"), "a-name", `somebody|${text}`);
    await client.hset(keyOf("state"), "version", 1);
    await client.zadd(keyOf("changes"), 1, "a-name");
    await client.zadd(keyOf("until"), Date.now() + 60_000, "a-name");
    const lines = (await top("--tenant", other)).split("\n");
    await fleet.close();

    expect(lines[0]).toContain("1 dead end");
    expect(lines[3]).toMatch(/^rm\\u\{1b\}\[2J\\u\{202e\}\\u\{a\}fetch +12 +2 +ada, ben/);
  });

  it("says that there are none in another swarm", async () => {
    expect(await top("--tenant", "quiet")).toBe("No dead ends | connected\n");
  });

  it("is told by a Cluster which of its servers to ask", async () => {
    const cluster = await startCluster(engine);
    try {
      const right = await cluster.ownerOf(`dl1:{${tenant}:control}:state`);
      const wrong = (await cluster.primaries()).find(({ port }) => port !== right.port)!;

      expect(await topOf(wrong.port, "--tenant", tenant)).toMatch(new RegExp(`MOVED \\d+ 127.0.0.1:${right.port}\\n`));
      expect(await topOf(right.port, "--tenant", tenant)).toBe("No dead ends | connected\n");
    } finally {
      await cluster.stop();
    }
  });

  it("does not pretend to know while the store does not answer as it should", async () => {
    await server.ask("ACL", "SETUSER", "default", "-eval", "-evalsha");
    const text = await top("--tenant", tenant);
    await server.ask("ACL", "SETUSER", "default", "+@all");

    expect(text).toMatch(/^No dead ends \| degraded \| cannot read the store: .*NOPERM/);
  });
});
