import { createGuard } from "doomloop";
import type { RedisFleetOptions } from "doomloop/fleet";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { call, result } from "../../builders.ts";
import { engines, isInstalled } from "../servers/server.ts";
import { fingerprintOf, publish } from "./campaign.ts";
import { type CampaignFleet, joinCampaign } from "./campaign-fleet.ts";
import { startTopology, type Topology } from "./topology.ts";

/** Fleets ask the store only in a `flush`. */
const quiet = { heartbeatMs: 600_000 };

describe.each(engines.filter(isInstalled).slice(0, 1))("what a process costs %s", (engine) => {
  let topology: Topology;
  const joined: CampaignFleet[] = [];

  beforeAll(async () => {
    topology = await startTopology(engine, "standalone");
  });
  afterEach(async () => {
    await Promise.all(joined.splice(0).map((each) => each.stop()));
    await topology.servers[0]!.ask("FLUSHALL");
  });
  afterAll(() => topology.stop());

  const newFleet = async (options: Partial<RedisFleetOptions> = {}) => {
    const each = await joinCampaign(topology, { ...quiet, ...options });
    joined.push(each);
    await each.fleet.flush();
    return each.fleet;
  };
  const statOf = async (name: string) => {
    const stats = await topology.servers[0]!.ask("INFO", "stats");
    return Number(new RegExp(`${name}:(\\d+)`).exec(stats)?.[1]);
  };

  it("is one heartbeat for a healthy process, whatever it does", async () => {
    const fleet = await newFleet();
    const guard = createGuard({ fleet: fleet.join({ worker: "worker" }) });
    guard.observe(call("read_file", { path: "first" }));
    guard.observe(result("text"));
    await fleet.flush();
    const before = await statOf("total_commands_processed");
    for (let at = 0; at < 1000; at++) {
      guard.observe(call("read_file", { path: `${at}.md` }));
      guard.observe(result(`text ${at}`));
    }
    await fleet.flush();
    const asked = (await statOf("total_commands_processed")) - before;

    // A heartbeat has five commands, and two more at the beginning of a window. The last one asks for the count.
    expect([6, 8]).toContain(asked);
    expect(fleet.stats().reported).toBe(0);
    const keys = (await topology.servers[0]!.ask("KEYS", "*")).split("\n").toSorted();
    expect(keys).toEqual(["dl3:{campaign}:runs", "dl3:{campaign}:settings"]);
  });

  it("is a few pages for a process that joins, however many dead ends there are and however long their names", async () => {
    const found = 300;
    const [one, two] = [await newFleet({ calls: 2 }), await newFleet({ calls: 2 })];
    for (const fleet of [one, two]) {
      const member = fleet.join({ worker: "w".repeat(256) });
      for (let at = 0; at < found; at++) {
        member.report({ id: "1", fingerprint: fingerprintOf(at), tool: "t".repeat(1000), isBarren: true });
      }
      await fleet.flush();
    }
    expect(two.findings()).toHaveLength(found);

    const before = await statOf("total_net_output_bytes");
    const three = await newFleet({ calls: 2 });
    const bytes = (await statOf("total_net_output_bytes")) - before;
    publish(
      `cost | ${engine} | one that joins ${found} dead ends hears of ${three.findings().length} | ${bytes} bytes`,
    );

    expect(three.findings()).toHaveLength(found);
    expect(bytes).toBeLessThan(100_000);
  });
});
