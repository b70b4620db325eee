import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import type { RedisClient } from "doomloop/fleet";
import { Redis } from "ioredis";
import { createClient } from "redis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { redisStore } from "../../../packages/doomloop/src/fleet/redis-fleet.ts";
import { startHost } from "../service/host.ts";
import { engines, freePorts, isInstalled } from "./server.ts";
import { until } from "./until.ts";

const run = promisify(execFile);
const ADMIN = "the-password-of-those-who-run-the-server";
const WORKER = { username: "worker", password: "a-long-password" };
/** The tenant in `deploy/redis-users.acl`. */
const TENANT = "acme";
const deployed = (name: string): string => readFileSync(resolve(import.meta.dirname, "../../../deploy", name), "utf8");

/** Everything that a fleet asks of its store. */
async function liveFully(client: RedisClient): Promise<void> {
  const store = redisStore(client)({ tenant: TENANT, windowMs: 60_000 });
  const name = "n".repeat(22);
  await until("it answers", () => store.suspects().then(() => true));
  expect(await store.count({ name, calls: ["one"], process: "one" })).toMatchObject({ calls: 1, processes: 1 });
  expect(await store.suspect({ name, tool: "fetch" })).toBe(true);
  expect(await store.suspects()).toEqual([{ name, tool: "fetch" }]);
  await store.clear(name);
  expect(await store.suspects()).toEqual([]);
}

/** The commands and files of `deploy/` that docs/fleet.md leads to, at a port of their own. */
describe.each(engines.filter(isInstalled))("the server that the documentation sets up, as %s", (engine) => {
  const folder = mkdtempSync(join(tmpdir(), "doomloop-documented-"));
  let port = 0;
  let child: ChildProcess;

  /** The server's own client. Without a user, nobody logs in. */
  const ask = async (login: readonly string[], ...words: string[]): Promise<string> => {
    const tls = ["--tls", "--cacert", "ca.crt", "-h", "localhost", "-p", String(port), "--no-auth-warning"];
    const { stdout } = await run(`${engine}-cli`, [...tls, ...login, ...words], { cwd: folder, timeout: 20_000 });
    return stdout.trim();
  };
  const admin = ["--user", "admin", "--pass", ADMIN];
  const worker = ["--user", WORKER.username, "--pass", WORKER.password];
  const start = async (): Promise<void> => {
    child = spawn(`${engine}-server`, ["fleet.conf"], { cwd: folder, stdio: "ignore" });
    await until("the server answers", async () => (await ask(admin, "PING").catch(() => "")) === "PONG");
  };
  const stop = async (): Promise<void> => {
    const exited = once(child, "exit");
    child.kill("SIGKILL");
    await exited;
  };

  beforeAll(async () => {
    [port] = (await freePorts(1)) as [number];
    const users = deployed("redis-users.acl");
    // Redis 7.0 does not know this command.
    const more = engine === "valkey" ? "+client|setname +client|setinfo" : "+client|setname";
    writeFileSync(join(folder, "users.acl"), users.replaceAll("+client|setname", more));
    const setup = deployed("redis-tls.sh").replace("tls-port 6380", `tls-port ${port}\nbind 127.0.0.1`);
    await run("sh", ["-e", "-c", setup.replace(/^redis-server .*$/m, "")], { cwd: folder });
    await start();
  });
  afterAll(async () => {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const ca = (): string => readFileSync(join(folder, "ca.crt"), "utf8");

  it("lets nobody in without a password, before and after a restart", async () => {
    for (let times = 0; times < 2; times++) {
      expect(await ask([], "GET", "x")).toMatch(/^NOAUTH/);
      expect(await ask(admin, "ACL", "LIST")).toMatch(/user default off/);
      await stop();
      await start();
    }
  });

  it("has files that only their owner can read", () => {
    for (const file of ["ca.key", "store.key", "users.acl"]) expect(statSync(join(folder, file)).mode & 0o077).toBe(0);
  });

  it("serves a worker over TLS with its own authority, through ioredis and node-redis", async () => {
    const first = new Redis({ host: "localhost", port, ...WORKER, tls: { ca: ca() } });
    first.on("error", () => {});
    await liveFully(first);
    first.disconnect();
    const second = createClient({ socket: { host: "localhost", port, tls: true, ca: ca() }, ...WORKER });
    second.on("error", () => {});
    await second.connect();
    await liveFully(second as unknown as RedisClient);
    second.destroy();
  });

  it.each([
    ["HRANDFIELD", "dl4:{other}:suspects"],
    ["PFCOUNT", `dl4:{other:${"n".repeat(22)}}:tries`],
    ["GET", "x"],
    ["KEYS", "*"],
    ["EVAL", "return 1", "0"],
    ["CONFIG", "GET", "*"],
    ["FLUSHALL"],
  ])("lets a worker not ask for %s %s", async (...words) => {
    expect(await ask(worker, ...words)).toMatch(/^NOPERM/);
  });

  it.each(["ioredis", "redis"])("serves `doomloop serve` with --ca, and not without it, through %s", async (name) => {
    const url = `rediss://${WORKER.username}:${WORKER.password}@localhost:${port}`;
    const words = ["--tenant", TENANT];
    const trusting = ["--ca", join(folder, "ca.crt"), "--store", `rediss://admin:${ADMIN}@localhost:${port}`];
    const trusted = await startHost(url, [...words, ...trusting], name);
    const doubted = await startHost(url, words, name);
    await until("connected", async () => (await trusted.get("/metrics"))!.includes('_state="connected"} 1'));
    await until("told", () => doubted.notes.length > 0);

    expect(trusted.notes).toEqual([]);
    expect(doubted.notes).toMatchObject([{ event: "fleet", message: expect.any(String) }]);
    expect(JSON.stringify(doubted.notes)).not.toContain(WORKER.password);
    await Promise.all([trusted.stop(), doubted.stop()]);
  });
});
