/** One worker of the swarm: a guard, a fleet over Redis, and an agent that heads for a page that is gone. */
import { setTimeout as wait } from "node:timers/promises";
import { createGuard } from "doomloop";
import { createRedisFleet } from "doomloop/fleet";
import { Redis } from "ioredis";

const [, , name = "worker", tenant = "example"] = process.argv;
const { REDIS_URL = "", DOOMLOOP_FLEET_KEY = "" } = process.env;
// The client is yours: how it connects, what happens when a connection is lost, and its end.
const redis = new Redis(REDIS_URL);
redis.on("error", (fault) => say("redis", fault.message));

const fleet = createRedisFleet({
  client: redis,
  key: DOOMLOOP_FLEET_KEY, // the same in all workers; at least 16 bytes
  tenant,
  calls: 8,
  onFinding: ({ tool, calls, workers }) =>
    say("incident", `${calls} calls of ${tool} by ${workers} processes lead nowhere`),
  onNotice: ({ kind }) => say("notice", kind),
});
const guard = createGuard({ fleet: fleet.join({ worker: name }) });

let isStuck = true;
for (let round = 1; isStuck && round <= 20; round++) {
  await wait(100 + Math.random() * 100);
  // Something useful first, so that no guard sees a loop by itself.
  guard.observe({ type: "call", tool: "read_file", args: { path: `${name}-${round}.md` } });
  guard.observe({ type: "result", output: `notes of ${name}, part ${round}` });
  isStuck = !fetchPage();
}
say(isStuck ? "stuck" : "done", isStuck ? "still asks for the page" : "found it in the archive");

// Delivers what waits, and leaves the client open.
await fleet.close();
redis.disconnect();

/** Asks for the page, unless the guard has something to say about it; true if another way was taken. */
function fetchPage(): boolean {
  const { action, message = "" } = guard.observe({
    type: "call",
    tool: "fetch",
    args: { url: "https://docs.example/v2" },
  });
  if (action === "continue") {
    guard.observe({ type: "result", output: "404 Not Found", error: true });
    say("fetches", "404 Not Found");
    return false;
  }
  say("told", message.split("\n")[0] ?? "");
  guard.observe({ type: "result", output: "not called", synthetic: true });
  guard.observe({ type: "call", tool: "search_archive", args: { title: "version 2" } });
  guard.observe({ type: "result", output: `the page, as ${name} needs it` });
  return true;
}

function say(what: string, words: string): void {
  console.log(JSON.stringify([what, words]));
}
