import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { UsageError } from "../../system/usage-error.ts";
import { connectRedis, loginOf, readAddress } from "./connect-redis.ts";

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
    async connect() { this.log.push("connect"); }
    disconnect() { this.log.push("disconnect"); }
  }
  Redis.Cluster = class extends Redis {};
  module.exports = Redis; module.exports.default = Redis;`;
const FACTORY = `
  exports.createClient = (options) => ({
    options, log: [],
    on(event) { this.log.push("on " + event); },
    async connect() { this.log.push("connect"); },
    destroy() { this.log.push("destroy"); },
  });
  exports.createCluster = exports.createClient;`;

describe("the client of the user's project", () => {
  it("is the first one that is installed", async () => {
    install("redis", FACTORY);
    expect((await connectRedis("redis://localhost", { folder })).name).toBe("redis");
    install("iovalkey", CLASS);
    expect((await connectRedis("redis://localhost", { folder })).name).toBe("iovalkey");
    expect((await connectRedis("redis://localhost", { folder, only: "redis" })).name).toBe("redis");
  });

  it.each([
    ["ioredis", CLASS, "disconnect"],
    ["redis", FACTORY, "destroy"],
  ] as const)("is listened to before it connects, and let go of: %s", async (name, code, farewell) => {
    install(name, code);
    const { client, close } = await connectRedis("redis://localhost", { folder });
    close();

    expect((client as { log: string[] }).log).toEqual(["on error", "connect", farewell]);
  });

  it("logs in to all servers of a Cluster with the same password", async () => {
    install("ioredis", CLASS);
    install("redis", FACTORY);
    const url = "rediss://ada:secret@store.example:7000";
    const [one, two] = await Promise.all(
      (["ioredis", "redis"] as const).map((only) => connectRedis(url, { folder, only, isCluster: true })),
    );
    const login = { username: "ada", password: "secret" };

    expect(one!.client).toMatchObject({ options: { redisOptions: { ...login, tls: {} } } });
    expect(two!.client).toMatchObject({ options: { defaults: { ...login, socket: { tls: true } } } });
  });

  it("is required, and the error says how to install it", async () => {
    await expect(connectRedis("redis://localhost", { folder })).rejects.toThrow(
      new UsageError(
        `no Redis client is installed in ${folder}: ioredis, iovalkey or redis is required, such as: npm install ioredis`,
      ),
    );
  });

  it("names the host that it cannot reach, and not the password", async () => {
    install("redis", FACTORY.replace('this.log.push("connect")', 'throw new Error("refused")'));
    const attempt = connectRedis("redis://user:hunter2@store.example:6380/1", { folder });

    await expect(attempt).rejects.toThrow(new UsageError("cannot reach store.example:6380: refused"));
  });

  it("says that the server refuses the database, instead of going on in another one", async () => {
    install(
      "ioredis",
      CLASS.replace("disconnect()", 'async select(number) { throw new Error("no " + number); }\n disconnect()'),
    );
    const attempt = connectRedis("redis://user:hunter2@store.example/99", { folder });

    await expect(attempt).rejects.toThrow(new UsageError("cannot reach store.example: no 99"));
  });

  it("refuses an address with a database that is no number, without repeating it", async () => {
    install("redis", FACTORY);

    await expect(connectRedis("redis://user:hunter2@store/abc", { folder })).rejects.toThrow(
      new UsageError("--url: only the number of a database may follow the host, as in redis://localhost:6379/2"),
    );
  });

  it.each(["", "localhost", "http://user:hunter2@store", "file:///etc/passwd"])(
    "refuses the address %j",
    async (url) => {
      install("redis", FACTORY);

      await expect(connectRedis(url, { folder })).rejects.toThrow(
        new UsageError("--url: an address that begins with redis:// or rediss:// is required"),
      );
    },
  );

  it("gives up if the store does not answer in time", async () => {
    install("redis", FACTORY.replace('this.log.push("connect")', "await new Promise(() => {})"));

    await expect(connectRedis("redis://localhost:1", { folder, timeoutMs: 100 })).rejects.toThrow(
      "no answer within 0.1 s",
    );
  });
});

describe("the address of a store", () => {
  it.each([
    ["redis://store.example", { host: "store.example", port: 6379, isEncrypted: false }],
    ["valkeys://store.example:6380/1", { host: "store.example", port: 6380, isEncrypted: true }],
    ["redis://[::1]:7000", { host: "::1", port: 7000, isEncrypted: false }],
    [
      "rediss://ada:p%40ss@store.example",
      { host: "store.example", port: 6379, isEncrypted: true, username: "ada", password: "p@ss" },
    ],
    ["redis://:100%@store", { host: "store", port: 6379, isEncrypted: false, password: "100%" }],
  ])("holds host, port, user and password: %s", (url, login) => {
    expect(loginOf(readAddress(url))).toEqual(login);
  });

  it("is rewritten to one that every client knows", () => {
    expect(readAddress("valkey://:secret@store/1").href).toBe("redis://:secret@store/1");
  });
});
