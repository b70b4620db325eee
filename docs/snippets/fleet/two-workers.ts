import { setTimeout as wait } from "node:timers/promises";
import { createGuard } from "doomloop";
import { createRedisFleet } from "doomloop/fleet";
import { Redis } from "ioredis";

const { REDIS_URL = "", FLEET_KEY = "" } = process.env;
const redis = new Redis(REDIS_URL);
redis.on("error", (fault) => console.warn("redis:", fault.message));

// #region join
const fleet = createRedisFleet({
  client: redis,
  key: FLEET_KEY, // the same in all workers
  tenant: "research",
  onFault: (fault) => console.warn((fault as Error).message),
  onFinding: ({ tool, calls, workers }) =>
    console.log(`${calls} calls of ${JSON.stringify(tool)} by ${workers} processes lead nowhere`),
});

const guard = createGuard({ fleet: fleet.join({ worker: `worker-${process.pid}` }) });
// #endregion join

for (let task = 1; task <= 30; task++) {
  guard.observe({ type: "user" }); // a new task, which starts with the same page
  const { action, message } = guard.observe({ type: "call", tool: "fetch", args: { url: "https://docs.example/v2" } });
  if (action !== "continue") console.log(`${process.pid}, task ${task}: ${action}\n${message}`);
  guard.observe({ type: "result", output: "404 Not Found", error: true });
  await wait(500);
}

await fleet.close(); // sends what is still queued
redis.disconnect();
