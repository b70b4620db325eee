import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { RedisClient } from "doomloop/fleet";
import { Redis } from "ioredis";
import { createClient } from "redis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runDoomloop } from "../cli/run-doomloop.ts";
import { deployed, liveFully, logins, TENANT, userFile } from "../clients/rights.ts";
import { startHost } from "../host/service-process.ts";
import { engines, freePorts, isInstalled } from "./server.ts";
import { until } from "./until.ts";

const run = promisify(execFile);
const ADMIN = "the-password-of-those-who-run-the-server";

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
    writeFileSync(join(folder, "users.acl"), await userFile(engine === "valkey"));
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

  it("serves a worker over TLS with its own authority, through ioredis", async () => {
    const client = new Redis({ host: "localhost", port, ...logins.worker, tls: { ca: ca() } });
    client.on("error", () => {});

    expect(await liveFully(client)).toEqual([]);
    client.disconnect();
  });

  it("serves a worker over TLS with its own authority, through node-redis", async () => {
    const client = createClient({ socket: { host: "localhost", port, tls: true, ca: ca() }, ...logins.worker });
    client.on("error", () => {});
    await client.connect();
    await ask(admin, "FLUSHALL");

    expect(await liveFully(client as unknown as RedisClient)).toEqual([]);
    client.destroy();
  });

  it.each(["ioredis", "redis"])("answers `doomloop fleet` with --ca, and not without it, through %s", async (name) => {
    const { username, password } = logins.operator;
    const url = `rediss://${username}:${password}@localhost:${port}`;
    const words = ["--tenant", TENANT, "--client", name];
    const trusted = await runDoomloop(url, ["top", ...words, "--ca", join(folder, "ca.crt")]);
    expect([trusted.code, trusted.stderr]).toEqual([0, ""]);
    const json = await runDoomloop(url, ["top", "--json", ...words, "--ca", join(folder, "ca.crt")]);
    expect(JSON.parse(json.stdout)).toMatchObject({ suspects: expect.any(Array), runs: expect.any(Number) });

    const doubted = await runDoomloop(url, ["top", ...words]);
    expect(doubted.code).toBe(2);
    expect(doubted.stderr).toMatch(/^doomloop: cannot reach localhost:\d+: .*certificate/);
    expect(doubted.stderr).not.toContain(password);
  });

  it.each(["ioredis", "redis"])("serves `doomloop serve` with --ca, and not without it, through %s", async (name) => {
    const { username, password } = logins.worker;
    const url = `rediss://${username}:${password}@localhost:${port}`;
    const words = ["--tenant", TENANT];
    await ask(admin, "FLUSHALL");
    const trusting = ["--ca", join(folder, "ca.crt"), "--store", `rediss://admin:${ADMIN}@localhost:${port}`];
    const trusted = await startHost(url, [...words, ...trusting], name);
    const doubted = await startHost(url, words, name);
    await until("connected", async () => (await trusted.get("/metrics"))!.includes('_state="connected"} 1'));
    await until("told", () => doubted.notes.length > 0);

    expect(trusted.notes).toEqual([]);
    expect(doubted.notes).toMatchObject([{ event: "fleet", notice: { kind: "store-away" } }]);
    expect(JSON.stringify(doubted.notes)).toContain("certificate");
    expect(JSON.stringify(doubted.notes)).not.toContain(password);
    await Promise.all([trusted.stop(), doubted.stop()]);
  });

  it("says if the file of the authority cannot be read", async () => {
    const { code, stderr } = await runDoomloop(`rediss://localhost:${port}`, ["top", "--ca", join(folder, "gone.crt")]);

    expect([code, stderr]).toEqual([2, expect.stringMatching(/^doomloop: --ca: cannot read .*gone\.crt/)]);
  });
});
