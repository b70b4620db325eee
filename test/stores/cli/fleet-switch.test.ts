import { once } from "node:events";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { engines, isInstalled, type Server, startServer } from "../servers/server.ts";
import { runDoomloop } from "./run-doomloop.ts";
import { createStuckFleet, type StuckFleet } from "./stuck-fleet.ts";

const tenant = "research";

describe.each(engines.filter(isInstalled))("doomloop fleet switch on %s", (engine) => {
  let server: Server;
  let client: Redis;
  let swarm: StuckFleet;
  beforeAll(async () => {
    server = await startServer(engine);
    client = new Redis({ port: server.port });
    client.on("error", () => {});
    await once(client, "ready");
    swarm = createStuckFleet(client, 2, { tenant });
    // The command warns about a tenant in which no worker has been.
    await swarm.settle();
  });
  afterAll(async () => {
    await swarm?.close();
    client?.disconnect();
    await server?.stop();
  });
  const doomloop = (...words: string[]) =>
    runDoomloop(`redis://127.0.0.1:${server.port}`, [...words, "--tenant", tenant]);
  const modes = async () => {
    await swarm.settle();
    return swarm.fleets.map((fleet) => fleet.stats().mode);
  };

  it("switches all workers, and says what the mode was before", async () => {
    const said: string[] = [];
    for (const mode of ["off", "shadow", "on"]) {
      const { code, stdout, stderr } = await doomloop("switch", mode);
      said.push(stderr);
      expect([code, stdout, await modes()]).toEqual([0, "", [mode, mode]]);
      expect((await doomloop("top")).stdout).toContain(`| switch ${mode} |`);
    }

    expect(said).toEqual([
      "The switch of research is off now. It was not set (on).\n",
      "The switch of research is shadow now. It was off.\n",
      "The switch of research is on now. It was shadow.\n",
    ]);
  });

  it("does not affect other swarms, and does not expire", async () => {
    await doomloop("switch", "off");
    const other = createStuckFleet(client, 1, { tenant: "other" });
    await other.settle();

    expect(other.fleets[0]?.stats().mode).toBe("on");
    expect(await server.ask("TTL", `dl:{${tenant}}:switch`)).toBe("-1");
    await other.close();
  });

  it("says that a worker's rights are not enough", async () => {
    await server.ask("ACL", "SETUSER", "default", "-set");
    const { code, stderr } = await doomloop("switch", "on");
    await server.ask("ACL", "SETUSER", "default", "+@all");

    expect(code).toBe(2);
    expect(stderr).toMatch(/^doomloop: cannot switch: NOPERM /);
  });

  it("accepts three modes", async () => {
    const { code, stderr } = await doomloop("switch", "up");

    expect(code).toBe(2);
    expect(stderr).toContain("Allowed choices are on, shadow, off");
  });
});
