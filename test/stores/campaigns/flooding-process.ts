import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { createRedisFleet } from "../../../packages/doomloop/src/fleet/index.ts";
import { fingerprintOf } from "./campaign.ts";
import { type Addresses, connect } from "./connect.ts";

/** Waits for a signal, reports barren calls with different fingerprints at an even rate, and goes on until its quota is reached. */
export interface FloodingOrder {
  readonly port: number;
  readonly tenant: string;
  readonly tenantQuota: number;
  readonly heartbeatMs: number;
  readonly first: number;
  readonly calls: number;
  readonly forMs: number;
}

export interface FloodingReport {
  readonly reported: number;
  readonly delivered: number;
  readonly lost: number;
  readonly notices: readonly string[];
}

const say = (what: unknown): void => void process.stdout.write(`${JSON.stringify(what)}\n`);

const order = JSON.parse(process.argv[2]!) as FloodingOrder;
const { port, tenant, tenantQuota, heartbeatMs, first, calls, forMs } = order;
const addresses: Addresses = { name: "standalone", servers: [{ port }], proxyPorts: new Map([[port, port]]) };
const { client, connected, close } = connect(addresses, "ioredis");
await connected;
const notices: string[] = [];
const fleet = createRedisFleet({
  ...{ client, key: "a secret of the campaign", tenant, tenantQuota, heartbeatMs },
  onNotice: ({ kind }) => notices.push(kind),
});
const member = fleet.join({ worker: "flooding" });
await fleet.flush();
say("ready");
await once(process.stdin, "data");
process.stdin.destroy();
const start = performance.now();
for (let done = 0; done < calls || !notices.includes("quota-reached"); await wait(5)) {
  const due = Math.ceil(((performance.now() - start) / forMs) * calls);
  for (; done < due; done++) {
    member.report({ id: `${done}`, fingerprint: fingerprintOf(first + done), tool: "fetch", isBarren: true });
  }
}
await fleet.close();
close();
const { reported, delivered, lost } = fleet.stats();
say({ reported, delivered, lost, notices } satisfies FloodingReport);
