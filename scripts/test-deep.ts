import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { join, resolve } from "node:path";

/**
 * Runs the tests with ten times as many cases a property as CI, and another seed each time. It takes as long as it takes:
 * there are no time-outs. Words go to vitest, so the name of a file chooses it.
 *
 * `DOOMLOOP_PROPERTY_SEED` runs the cases of an earlier time again, `DOOMLOOP_PROPERTY_RUNS` sets how many.
 */
const root = resolve(import.meta.dirname, "..");
const runs = process.env.DOOMLOOP_PROPERTY_RUNS || "100000";
const seed = process.env.DOOMLOOP_PROPERTY_SEED || String(randomInt(2 ** 31));
const vitest = join(root, "node_modules/vitest/vitest.mjs");

console.log(`Properties run ${runs} times. To run the same cases again, set DOOMLOOP_PROPERTY_SEED to ${seed}.`);
const { status } = spawnSync(process.execPath, [vitest, "run", "--testTimeout=0", ...process.argv.slice(2)], {
  cwd: root,
  env: { ...process.env, DOOMLOOP_PROPERTY_RUNS: runs, DOOMLOOP_PROPERTY_SEED: seed },
  stdio: "inherit",
});
if (status !== 0) console.log(`These were the cases of DOOMLOOP_PROPERTY_SEED ${seed}.`);
process.exitCode = status ?? 1;
