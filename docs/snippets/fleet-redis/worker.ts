import { createGuard } from "doomloop";
import { createRedisFleet } from "doomloop/fleet";
import { Redis } from "ioredis";

const { REDIS_URL = "", FLEET_KEY = "" } = process.env;
const redis = new Redis(REDIS_URL);
redis.on("error", (error) => console.warn("redis:", error.message));

const fleet = createRedisFleet({
  client: redis,
  key: FLEET_KEY,
  tenant: "research",
  onNotice: (notice) => console.warn("fleet:", notice),
  onFinding: ({ tool, calls, workers }) =>
    console.log(`${calls} calls of ${tool} by ${workers} processes lead nowhere`),
});
const guard = createGuard({ fleet: fleet.join({ worker: `worker-${process.pid}` }) });

for (let task = 1; task <= 30; task++) {
  guard.observe({ type: "user" }); // a new task, and the agent begins with the same page again
  const { action, message } = guard.observe({ type: "call", tool: "fetch", args: { url: "https://docs.example/v2" } });
  if (action !== "continue") console.log(`task ${task}: ${action}\n${message}`);
  guard.observe({ type: "result", output: "404 Not Found", error: true });
  await new Promise((resolve) => setTimeout(resolve, 500));
}

await fleet.close();
redis.disconnect();
