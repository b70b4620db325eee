import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CommandOutcome } from "../../run-command.ts";
import { engines, isInstalled, type Server, startServer } from "../servers/server.ts";
import { runDoomloop } from "./run-doomloop.ts";
import { createStuckFleet, key, type StuckFleet } from "./stuck-fleet.ts";

const tenant = "research";
const gone = { url: "https://docs.example/gone" };

describe.each(engines.filter(isInstalled))("doomloop fleet explain on %s", (engine) => {
  let server: Server;
  let client: Redis;
  let swarm: StuckFleet;
  let folder: string;
  beforeAll(async () => {
    server = await startServer(engine);
    client = new Redis({ port: server.port });
    client.on("error", () => {});
    await once(client, "ready");
    folder = mkdtempSync(join(tmpdir(), "doomloop-explain-"));
    writeFileSync(join(folder, "fleet.key"), `${key}\n`);
    writeFileSync(join(folder, "other.key"), "the key of another deployment\n");
    swarm = createStuckFleet(client, 3, { tenant });
    swarm.fail(5, "fetch_page", gone);
    swarm.fail(1, "bash", { command: "cat missing.md" });
    swarm.fail(5, "browse", gone);
    await swarm.settle();
    swarm.succeed("browse", gone);
    await swarm.settle();
  });
  afterAll(async () => {
    await swarm?.close();
    client?.disconnect();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const explain = (
    call: unknown,
    words: readonly string[] = ["--tenant", tenant],
    file = "fleet.key",
  ): Promise<CommandOutcome> => {
    const all = ["explain", JSON.stringify(call), "--key-file", join(folder, file), ...words];
    return runDoomloop(`redis://127.0.0.1:${server.port}`, all);
  };

  it.each(["ioredis", "iovalkey", "redis"])("says that a call is a dead end, and by what, through %s", async (name) => {
    const { code, stdout, stderr } = await explain({ tool: "fetch_page", args: gone }, [
      "--tenant",
      tenant,
      "--client",
      name,
    ]);

    expect(stdout.split("\n")).toEqual([
      "It is a dead end.",
      "",
      "calls       15; a dead end takes 10",
      "processes   3; a dead end takes 2",
      expect.stringMatching(/^counts for {2}\d+ (?:min|s)/),
      expect.stringMatching(/^call {8}[\w-]{22}$/),
      "scope       the whole fleet",
      "switch      not set (on)",
      "key         the same as the workers'",
      "",
    ]);
    expect([code, stderr]).toEqual([0, ""]);
  });

  it("uses the same name for the call as the table", async () => {
    const url = `redis://127.0.0.1:${server.port}`;
    const { stdout: table } = await runDoomloop(url, ["top", "--tenant", tenant]);
    const { stdout } = await explain({ tool: "fetch_page", args: gone });
    const name = /^call {8}([\w-]{8})/m.exec(stdout)?.[1];

    expect(/^fetch_page .* (\S+)$/m.exec(table)?.[1]).toBe(name);
  });

  it.each<[string, unknown]>([
    ["It is a suspect, not a dead end yet.", { tool: "bash", args: { command: "cat missing.md" } }],
    // The same in substance.
    ["It is a suspect, not a dead end yet.", { tool: "read_file", args: { path: "./missing.md" } }],
    ["It is a dead end.", { type: "call", tool: "fetch_page", args: JSON.stringify(gone), id: "7" }],
    ["It is unknown.", { tool: "browse", args: gone }],
    ["It is unknown.", { tool: "fetch_page", args: { url: "https://docs.example/other" } }],
  ])("%s: %j", async (verdict, call) => {
    expect((await explain(call, ["--tenant", tenant, "--world", "here"])).stdout.startsWith(verdict)).toBe(true);
  });

  it("finds a call about a worker's own world only in that world", async () => {
    const missing = { tool: "read_file", args: { path: "missing.md" } };
    const { stdout } = await explain(missing);

    expect(stdout).toMatch(/^It is unknown\./);
    expect(stdout).toMatch(/^scope {7}each worker's own world: .*--world/m);
    expect((await explain(missing, ["--tenant", tenant, "--world", "elsewhere"])).stdout).toMatch(/^It is unknown\./);
  });

  it("reads the call from standard input, and does not print it", async () => {
    const secret = "sk-do-not-keep";
    const url = `redis://127.0.0.1:${server.port}`;
    const words = ["explain", "-", "--tenant", tenant, "--key-file", join(folder, "fleet.key")];
    const before = await server.ask("DBSIZE");
    const { code, stdout, stderr } = await runDoomloop(url, words, JSON.stringify({ tool: "fetch", args: { secret } }));
    const bad = await runDoomloop(url, words, `{"tool": ${secret}`);

    expect([code, bad.code, await server.ask("DBSIZE")]).toEqual([0, 2, before]);
    expect(stdout + stderr + bad.stdout + bad.stderr).not.toContain(secret);
  });

  it("says that the workers have another key instead of calling the call unknown", async () => {
    const { code, stdout, stderr } = await explain(
      { tool: "fetch_page", args: gone },
      ["--tenant", tenant],
      "other.key",
    );

    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(
      /^doomloop: --key-file: the fleet's workers have a different key: its fingerprint is \w{8}, theirs is \w{8}\n$/,
    );
  });

  it("says that a tenant has no workers", async () => {
    expect((await explain({ tool: "fetch_page", args: gone }, ["--tenant", "typo"])).stdout).toMatch(
      /^It is unknown\. No worker has connected/,
    );
  });

  it.each([
    ["no key", ["explain", '{"tool":"fetch"}'], "--key-file: a file with the key of the workers is required"],
    ["no call", ["explain", "fetch", "--key-file", "fleet.key"], "CALL: JSON such as "],
    ["no tool", ["explain", '{"args":{}}', "--key-file", "fleet.key"], "CALL: JSON such as "],
  ])("requires what is missing: %s", async (_, words, complaint) => {
    const { code, stderr } = await runDoomloop("redis://127.0.0.1:1", words);

    expect(code).toBe(2);
    expect(stderr).toContain(complaint);
  });

  it("shows counts under a key that the settings do not list, and says so", async () => {
    const changed = createStuckFleet(client, 2, { tenant: "changed" });
    await client.set("dl3:{changed}:settings", "key=00000000 calls=10 workers=2 windowMs=300000 countAll=false");
    changed.fail(5, "fetch_page", gone);
    await changed.settle();
    await changed.close();
    const { stdout } = await explain({ tool: "fetch_page", args: gone }, ["--tenant", "changed"]);

    expect(stdout).toMatch(/^It is a dead end\.\n/);
    expect(stdout).toContain("key         not the same as in the workers' settings\n");
  });
});
