import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Cluster as ClusterClient } from "ioredis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Cluster, startCluster } from "../servers/cluster.ts";
import { engines, isInstalled } from "../servers/server.ts";
import { runDoomloop } from "./run-doomloop.ts";
import { createStuckFleet, key } from "./stuck-fleet.ts";

const tenant = "research";
const pages = Array.from({ length: 12 }, (_, at) => ({ url: `https://docs.example/${at}` }));

describe.each(engines.filter(isInstalled))("the command line on a Cluster of %s", (engine) => {
  let cluster: Cluster;
  let folder: string;
  beforeAll(async () => {
    cluster = await startCluster(engine);
    folder = mkdtempSync(join(tmpdir(), "doomloop-cluster-"));
    writeFileSync(join(folder, "fleet.key"), key);
    const client = new ClusterClient(cluster.servers.map(({ port }) => ({ host: "127.0.0.1", port })));
    client.on("error", () => {});
    await once(client, "ready");
    const swarm = createStuckFleet(client, 2, { tenant });
    for (const page of pages) swarm.fail(6, "fetch_page", page);
    await swarm.settle();
    await swarm.close();
    client.disconnect();
  });
  afterAll(async () => {
    await cluster?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const doomloop = async (isOwner: boolean, ...words: string[]) => {
    const owner = await cluster.ownerOf(`dl3:{${tenant}}:news`);
    const { port } = isOwner ? owner : (await cluster.primaries()).find((server) => server.port !== owner.port)!;
    return runDoomloop(`redis://127.0.0.1:${port}`, [...words, "--tenant", tenant]);
  };

  it.each(["ioredis", "iovalkey", "redis"])("asks all servers when it is told so, through %s", async (name) => {
    for (const isOwner of [true, false]) {
      const { stdout, stderr } = await doomloop(isOwner, "top", "--cluster", "--client", name);

      expect(stderr).toBe("");
      expect(stdout).toMatch(/^12 dead ends \| /);
      expect(stdout.match(/^fetch_page +1[12] +2 /gm)).toHaveLength(12);
    }
  });

  it("shows what one server knows, and says that there may be more", async () => {
    const { stdout } = await doomloop(true, "top");
    const [first, second] = stdout.split("\n");

    expect(first).toMatch(/^12 dead ends \| /);
    expect(second).toBe("the counts are incomplete: it is a Cluster: use --cluster");
    expect(stdout).toMatch(/^fetch_page +\d+\+ +2\+ /m);
    const { code, stderr } = await doomloop(false, "top");
    expect([code, stderr]).toEqual([2, "doomloop: cannot read the store: it is a Cluster: use --cluster\n"]);
  });

  it.each(["ioredis", "iovalkey", "redis"])("explains and switches, through %s", async (name) => {
    const words = ["--cluster", "--client", name];
    const file = join(folder, "fleet.key");
    for (const page of pages.slice(0, 4)) {
      const call = JSON.stringify({ tool: "fetch_page", args: page });
      const { stdout } = await doomloop(false, "explain", call, "--key-file", file, ...words);

      expect(stdout).toMatch(/^It is a dead end\.\n/);
    }
    expect((await doomloop(false, "switch", "shadow", ...words)).code).toBe(0);
    expect(await doomloop(false, "top", ...words)).toMatchObject({
      stdout: expect.stringContaining("| switch shadow |"),
      stderr: "",
    });
  });
});
