import { createInterface } from "node:readline";
import { Redis } from "ioredis";
import { createClient } from "redis";
import { createRedisFleet, type RedisFleetOptions } from "../../../packages/doomloop/src/fleet/index.ts";
import type { FleetNotice } from "../../../packages/doomloop/src/fleet/process/store-fleet-options.ts";

/**
 * A process with an agent, for tests of how a process ends. It prints a line after each action, and continues when it is told to.
 *
 * Words: the client, how it is made (`connected`, `connecting`, `unheard`: without a listener), the server's port, and what the callbacks do.
 */
const [name, how, port, callbacks] = process.argv.slice(2);
const host = "127.0.0.1";
const ignore = () => {};
const say = (line: string) => process.stdout.write(`${line}\n`);
const lines = createInterface({ input: process.stdin });
const told = new Promise((resolve) => lines.once("line", resolve));
let isAway = false;

const { client, end } = name === "ioredis" ? withIoredis() : withNodeRedis();
const failing = callbacks === "rejecting" ? () => Promise.reject(new Error("rejected")) : raise;
const disturbed: Partial<RedisFleetOptions> = {
  onFinding: failing,
  observer: { onFlush: failing, onState: failing },
  mode: raise,
};
const fleet = createRedisFleet({
  ...{ client, key: "a secret of the tests, long enough", tenant: "agents", calls: 2 },
  ...(how === "unheard" ? { deadlineMs: 200 } : {}),
  onNotice(notice: FleetNotice) {
    isAway ||= notice.kind === "store-away";
    return callbacks === undefined ? undefined : failing();
  },
  ...(callbacks === undefined ? {} : disturbed),
});
const member = fleet.join({ worker: "one" });
report("0");
if (how !== "connecting") await fleet.flush();
say("ready");
await told;
report("1");
if (how === "unheard") {
  while (!isAway) await fleet.flush();
  say("noticed");
}

// The delay that a busy machine causes, which is not the fleet's fault.
let lateMs = 0;
let tick = performance.now();
setInterval(() => {
  lateMs += Math.max(0, performance.now() - tick - 30);
  tick = performance.now();
}, 20).unref();
const start = performance.now();
await fleet.close();
end();
lines.close();
process.on("exit", () => say(`ended after ${Math.round(performance.now() - start - lateMs)} ms`));

function report(id: string): void {
  for (const fingerprint of ["\u3400".repeat(9), "\u3401".repeat(9)]) {
    member.report({ id, fingerprint, tool: "fetch", isBarren: true });
    fleet.join({ worker: "two" }).report({ id, fingerprint, tool: "fetch", isBarren: true });
  }
}

function withIoredis() {
  // Otherwise the client waits up to two seconds for the server to close the connection, and keeps the process alive for that time.
  const redis = new Redis({ host, port: Number(port), disconnectTimeout: 100 });
  if (how !== "unheard") redis.on("error", ignore);
  return { client: redis, end: () => redis.disconnect() };
}

function withNodeRedis() {
  const redis = createClient({ socket: { host, port: Number(port) } });
  if (how !== "unheard") redis.on("error", ignore);
  redis.connect().catch(ignore);
  return { client: redis, end: () => redis.destroy() };
}

function raise(): never {
  throw new Error("thrown");
}
