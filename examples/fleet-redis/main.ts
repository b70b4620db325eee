/**
 * Six worker processes share one Redis and one dead end: a page that is gone. No worker asks for it often enough for its own
 * guard to speak. Together they do, and each is told before its next try, takes another way and gets its work done.
 *
 * Uses the server at `REDIS_URL`, or starts one of its own (`redis-server` or `valkey-server`), or says that there is none. The key that
 * all workers share comes from the environment, as yours should: here it is made anew for each start.
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

const names = ["ada", "ben", "cleo", "dan", "eve", "finn"];
const tenant = `example-${process.pid}`;
const key = randomBytes(32).toString("base64url");
const told: string[] = [];
let incidents = 0;

try {
  console.log(`${names.length} workers on ${store.url}`);
  const finished = await Promise.all(names.map(runWorker));
  console.log(
    `\n${told.length} workers were told, ${incidents} incident, ${finished.filter(Boolean).length} got their work done`,
  );
  process.exitCode = told.length > 0 && finished.every(Boolean) ? 0 : 1;
} finally {
  await store.stop();
}

/** A process of its own; true if it got its work done. */
function runWorker(name: string): Promise<boolean> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "worker.ts"), name, tenant], {
    env: { ...process.env, REDIS_URL: store!.url, DOOMLOOP_FLEET_KEY: key },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let isDone = false;
  createInterface(child.stdout).on("line", (line) => {
    const [what, words] = JSON.parse(line) as [string, string];
    if (what === "told") told.push(name);
    if (what === "incident") incidents++;
    if (what === "done") isDone = true;
    console.log(`${name.padEnd(5)} ${what.padEnd(9)} ${words}`);
  });
  return new Promise((done) => child.on("close", (code) => done(isDone && code === 0)));
}
