/**
 * Starts two workers that share one Redis, and shows what they print.
 *
 * Uses the server at `REDIS_URL`, or starts a new one (`redis-server` or `valkey-server`), or says that there is none. The key that
 * all workers share comes from the environment, as yours should; here, each start makes a new one.
 */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { startStore } from "./start-store.ts";

const store = await startStore();
if (store === undefined) {
  console.log("skipped: set REDIS_URL, or install redis-server or valkey-server");
  process.exit(0);
}
const env = { ...process.env, REDIS_URL: store.url, FLEET_KEY: randomBytes(32).toString("base64url") };
const told = await Promise.all(["ada", "ben"].map(runWorker)).finally(store.stop);
console.log(`\n${told.filter(Boolean).length} of 2 workers were told`);
if (!told.every(Boolean)) process.exitCode = 1;

/** A separate process; true if its agent was told about the dead end. */
async function runWorker(name: string): Promise<boolean> {
  const worker = join(import.meta.dirname, "worker.ts");
  const child = spawn(process.execPath, [worker], { env, stdio: ["ignore", "pipe", "inherit"] });
  let isTold = false;
  for await (const line of createInterface(child.stdout)) {
    isTold ||= line.includes("nudge");
    console.log(`${name}  ${line}`);
  }
  return isTold;
}
