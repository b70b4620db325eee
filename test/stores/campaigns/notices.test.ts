import type { RedisFleetOptions } from "doomloop/fleet";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { FleetNotice } from "../../../packages/doomloop/src/fleet/process/store-fleet-options.ts";
import { engines, isInstalled } from "../servers/server.ts";
import { until } from "../servers/until.ts";
import { fingerprintOf } from "./campaign.ts";
import { type CampaignFleet, joinCampaign } from "./campaign-fleet.ts";
import { startTopology, type Topology } from "./topology.ts";

describe.each(engines.filter(isInstalled).slice(0, 1))("the notices of a fleet on %s", (engine) => {
  let topology: Topology;
  const joined: CampaignFleet[] = [];

  beforeAll(async () => {
    topology = await startTopology(engine, "standalone");
  });
  afterEach(async () => {
    await ask("ACL", "SETUSER", "default", "+@all");
    await Promise.all(joined.splice(0).map((each) => each.stop()));
  });
  afterAll(() => topology.stop());

  const ask = (...words: string[]) => topology.servers[0]!.ask(...words);
  const newProcess = async (options: Partial<RedisFleetOptions> = {}) => {
    const each = await joinCampaign(topology, { heartbeatMs: 100, ...options });
    joined.push(each);
    return each;
  };
  const work = async ({ fleet }: CampaignFleet, times: number) => {
    const member = fleet.join({ worker: "worker" });
    for (let at = 0; at < times; at++) {
      member.report({ id: `${at}`, fingerprint: fingerprintOf(at), tool: "fetch", isBarren: true });
      await fleet.flush();
    }
  };

  it.each(["-pfadd", "-@write"])("says once that reports are refused, for as long as they are: %s", async (right) => {
    const process = await newProcess();
    await ask("ACL", "SETUSER", "default", right);
    await work(process, 20);
    const refusals = ({ notices }: CampaignFleet) => notices.filter(({ kind }) => kind === "reports-refused").length;
    expect(refusals(process)).toBe(1);

    await ask("ACL", "SETUSER", "default", "+@all");
    await work(process, 1);
    await ask("ACL", "SETUSER", "default", "-pfadd");
    await work(process, 1);
    expect(refusals(process)).toBe(2);
  });

  it("goes on if a callback fails, immediately or later", async () => {
    const told: FleetNotice[] = [];
    const fail = async () => {
      throw new Error("the pager is down");
    };
    const failing = {
      tenant: "failing",
      onFinding: fail,
      observer: { onFlush: fail, onState: fail },
      onNotice(notice: FleetNotice) {
        told.push(notice);
        throw new Error("the pager is down");
      },
    };
    const [one, two] = [await newProcess(failing), await newProcess({ ...failing, onNotice: fail })];
    await ask("SET", "dl:{failing}:switch", "shadow");
    await until("the switch is heard of", () => told.length > 0);
    for (const each of [one, two, one, two]) await work(each, 5);
    await ask("SET", "dl:{failing}:switch", "on");

    await until("all is heard of", () => told.length === 2 && two.fleet.stats().mode === "on");
    expect(one.fleet.stats()).toMatchObject({ delivered: 10, lost: 0 });
  });
});
