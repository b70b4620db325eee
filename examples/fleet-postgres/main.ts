/**
 * Three workers share a Postgres. Two of them ask for a page that is gone; the third learns that before it asks.
 *
 * Uses the server at `DATABASE_URL`, or says that there is none.
 */
import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { createGuard } from "doomloop";
import { createStoreFleet } from "doomloop/fleet";
import pg from "pg";
import { CREATE_TABLES, postgresStore } from "./postgres-store.ts";

const { DATABASE_URL } = process.env;
if (!DATABASE_URL) {
  console.log("skipped: set DATABASE_URL to the address of a Postgres");
  process.exit(0);
}
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 3 });
await pool.query(CREATE_TABLES);

const key = randomBytes(32); // yours comes from the environment, and is the same in all workers
const tenant = `example-${process.pid}`;
// In reality, each of these is a separate process, with the usual heartbeat of three seconds.
const fleets = ["ada", "ben", "cleo"].map((witness) =>
  createStoreFleet({ store: postgresStore(pool), key, tenant, witness, heartbeatMs: 500 }),
);
const guards = fleets.map((fleet) => createGuard({ fleet: fleet.join({ worker: "agent" }) }));
const page = { type: "call", tool: "fetch", args: { url: "https://docs.example/v2" } } as const;

for (let task = 1; task <= 5; task++) {
  for (const guard of guards.slice(0, 2)) {
    guard.observe({ type: "user" });
    guard.observe(page);
    guard.observe({ type: "result", output: "404 Not Found", error: true });
  }
}
for (let second = 0; second < 20 && fleets[2]?.findings().length === 0; second++) await wait(500);
const { action, message } = guards[2]!.observe(page);
console.log(`cleo: ${action}\n${message ?? ""}`);
if (action !== "nudge") process.exitCode = 1;

await Promise.all(fleets.map((fleet) => fleet.close()));
await pool.end();
