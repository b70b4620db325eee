import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { UsageError } from "../../system/usage-error.ts";
import { openRedis } from "./open-redis.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "doomloop-client-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Installs a package that behaves like the client, as far as it is used. */
function install(name: string, code: string): void {
  mkdirSync(join(folder, "node_modules", name), { recursive: true });
  writeFileSync(join(folder, "node_modules", name, "package.json"), JSON.stringify({ name, main: "index.js" }));
  writeFileSync(join(folder, "node_modules", name, "index.js"), code);
}

const CLASS = `
  class Redis {
    constructor(url, options) { Object.assign(this, { url, options, log: [] }); }
    on(event) { this.log.push("on " + event); }
    async select(number) { this.log.push("select " + number); }
    disconnect() { this.log.push("disconnect"); }
  }
  Redis.Cluster = class extends Redis {};
  module.exports = Redis;`;
const FACTORY = `
  exports.createClient = (options) => ({
    options, log: [],
    on(event) { this.log.push("on " + event); },
    async connect() { this.log.push("connect"); },
    destroy() { this.log.push("destroy"); },
  });
  exports.createCluster = exports.createClient;`;

const logOf = (client: object): string[] => (client as { log: string[] }).log;
const opened = (url: string, more: object = {}) => openRedis("--fleet", { url, ...more }, folder);

describe("the client of the user's project", () => {
  it("is the first one that is installed, unless one is named", () => {
    install("redis", FACTORY);
    expect(opened("redis://localhost").client).toHaveProperty("connect");
    install("iovalkey", CLASS);
    expect(opened("redis://localhost").client).not.toHaveProperty("connect");
    expect(opened("redis://localhost", { client: "redis" }).client).toHaveProperty("connect");
  });

  it.each([
    ["ioredis", CLASS, ["on error", "disconnect"]],
    ["redis", FACTORY, ["on error", "connect", "destroy"]],
  ])("is listened to before it connects, and closed: %s", (name, code, log) => {
    install(name, code);
    const { client, close } = opened("redis://localhost");
    close();

    expect(logOf(client)).toEqual(log);
  });

  it("logs in to all servers of a Cluster with the same password", () => {
    install("ioredis", CLASS);
    install("redis", FACTORY);
    const url = "rediss://ada:p%40ss@store.example:7000";
    const [one, two] = ["ioredis", "redis"].map((client) => opened(url, { client, cluster: true }).client);
    const login = { username: "ada", password: "p@ss" };

    expect(one).toMatchObject({ url: [{ host: "store.example", port: 7000 }] });
    expect(one).toMatchObject({ options: { redisOptions: { ...login, tls: {} } } });
    expect(two).toMatchObject({ options: { defaults: { ...login, socket: { tls: true } } } });
  });

  it("is closed if the server refuses the database, instead of going on in another one", async () => {
    const refusing = 'async select() { throw Object.assign(new Error("no"), { name: "ReplyError" }); }';
    install("ioredis", CLASS.replace(/async select.*/, refusing));
    const { client } = opened("redis://store.example/99");

    await expect.poll(() => logOf(client)).toContain("disconnect");
  });

  it("is required, and the error says how to install it", () => {
    expect(() => opened("redis://localhost")).toThrow(
      new UsageError(`no Redis client is installed in ${folder}: npm install ioredis, or iovalkey, or redis`),
    );
  });
});

describe("the address of a store", () => {
  it.each([
    ["redis://store.example", { host: "store.example", port: 6379 }],
    ["valkey://store.example:6380", { host: "store.example", port: 6380 }],
    ["redis://[::1]:7000", { host: "::1", port: 7000 }],
  ])("holds host and port: %s", (url, node) => {
    install("ioredis", CLASS);

    expect(opened(url, { cluster: true }).client).toMatchObject({ url: [node] });
  });

  it("may have a password with a percent sign, which is just that", () => {
    install("ioredis", CLASS);

    expect(opened("redis://:100%@store").client).toMatchObject({ options: { password: "100%" } });
  });

  it("may have the number of a database, and nothing else, and is not repeated", () => {
    install("ioredis", CLASS);

    expect(logOf(opened("redis://store/2").client)).toContain("select 2");
    expect(() => opened("redis://user:hunter2@store/abc")).toThrow(
      new UsageError("--fleet: only a database's number may follow the host, as in redis://localhost:6379/2"),
    );
  });

  it.each(["", "localhost", "http://user:hunter2@store", "file:///etc/passwd"])("is refused if it is %j", (url) => {
    expect(() => opened(url)).toThrow(
      new UsageError("--fleet: an address that begins with redis:// or rediss:// is required"),
    );
  });
});
