/**
 * Two agents check their inbox, each with a new guard for every request, kept in Redis: one of them waits a minute before it asks again.
 *
 * Uses the server at `REDIS_URL`, or starts a new one (`redis-server` or `valkey-server`), or says that there is none. Runs offline.
 */
import { guardStore } from "doomloop";
import { guard } from "doomloop/openai";
import { Redis } from "ioredis";
import { startStore } from "./start-store.ts";

const server = await startStore();
if (server === undefined) {
  console.log("skipped: set REDIS_URL, or install redis-server or valkey-server");
  process.exit(0);
}
const redis = new Redis(server.url);
const prefix = `doomloop-example:${process.pid}`;

let now = 0;
// The example's minutes pass at once, so you don't have to wait.
performance.now = () => now;

/** One request. It keeps nothing in memory; the list of messages would be in a database. */
function handle(thread: string, messages: object[]): Promise<boolean> {
  const store = guardStore({
    load: (run) => redis.get(`${prefix}:${run}`),
    save: (run, text) => redis.set(`${prefix}:${run}`, text, "EX", 3600),
  });
  return store.use(thread, (own) => {
    const observe = guard(messages, { guard: own });
    observe();
    const isTold = JSON.stringify(messages.at(-1)).includes("[doomloop]");
    now += 2_000; // the model thinks
    const id = `call-${messages.length}`;
    const checkInbox = { id, type: "function", function: { name: "check_inbox", arguments: "{}" } };
    messages.push({ role: "assistant", tool_calls: [checkInbox] });
    if (observe().calls.length > 0) messages.push({ role: "tool", tool_call_id: id, content: "no new messages" });
    return isTold;
  });
}

/** How often an agent is warned in this many requests. */
async function play(name: string, requests: number, waitMs: number): Promise<number> {
  const messages: object[] = [{ role: "user", content: "Look after my mail." }];
  let told = 0;
  for (let at = 0; at < requests; at++) {
    if (await handle(name, messages)) told++;
    now += waitMs;
  }
  console.log(`${name}: told ${told} times in ${requests} requests`);
  return told;
}

const patient = await play("the agent that waits a minute", 20, 60_000);
const hasty = await play("the agent that asks at once", 20, 0);
redis.disconnect();
await server.stop();
if (patient > 0 || hasty === 0) process.exitCode = 1;
