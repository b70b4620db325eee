import { setTimeout as wait } from "node:timers/promises";
import { createGuard } from "doomloop";
import { createRedisFleet } from "doomloop/fleet";
import { Redis } from "ioredis";

const { REDIS_URL = "", FLEET_KEY = "" } = process.env;
const redis = new Redis(REDIS_URL); // your own client: doomloop opens no connection itself
const fleet = createRedisFleet({ client: redis, key: FLEET_KEY, tenant: "research" });
const guard = createGuard({ fleet: fleet.join({ worker: `worker-${process.pid}` }) });

// An agent that asks for a page that is gone, once for each of its tasks: too rarely for its own guard to warn.
for (let task = 1; task <= 30; task++) {
  guard.observe({ type: "user" }); // a new task
  const { action, message } = guard.observe({ type: "call", tool: "fetch", args: { url: "https://docs.example/v2" } });
  console.log(`task ${task}: ${action}`, message ?? "");
  guard.observe({ type: "result", output: "404 Not Found", error: true });
  await wait(500);
}
await fleet.close();
redis.disconnect();
