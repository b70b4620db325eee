import { randomInt } from "node:crypto";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { hostNames, installHost, installPackages, usualHostNames } from "./install-packages.ts";
import { npm, runProgram, secondsSince } from "./run-program.ts";

/**
 * Runs the tests that `npm test` leaves out, or runs only in part: `npm run test:hosts` and its like. What they need is installed and their types are
 * checked first. Words go to vitest, so the name of a file chooses it; of hosts, names choose up to the first word that begins with a dash.
 */
const root = resolve(import.meta.dirname, "..");
const suites: Readonly<Record<string, (words: readonly string[]) => boolean>> = {
  deep,
  hosts,
  stores,
  viewer,
};
const [name = "", ...words] = process.argv.slice(2);
if (!Object.hasOwn(suites, name)) throw new Error(`test-suite: one of ${Object.keys(suites).join(", ")} is required`);
process.exitCode = suites[name]!(words) ? 0 : 1;

/**
 * A hundred times as many cases a property as CI, and another seed each time. It takes as long as it takes: there are no time-outs.
 *
 * `DOOMLOOP_PROPERTY_SEED` runs the cases of an earlier time again, `DOOMLOOP_PROPERTY_RUNS` sets how many.
 */
function deep(options: readonly string[]): boolean {
  const runs = process.env.DOOMLOOP_PROPERTY_RUNS || "100000";
  const seed = process.env.DOOMLOOP_PROPERTY_SEED || String(randomInt(2 ** 31));
  console.log(`Properties run ${runs} times. To run the same cases again, set DOOMLOOP_PROPERTY_SEED to ${seed}.`);
  const env = {
    ...process.env,
    DOOMLOOP_PROPERTY_RUNS: runs,
    DOOMLOOP_PROPERTY_SEED: seed,
    DOOMLOOP_CAMPAIGNS: "full",
  };
  const isFine = runProgram("vitest", ["run", "--testTimeout=0", ...options], env);
  if (!isFine) console.log(`These were the cases of DOOMLOOP_PROPERTY_SEED ${seed}.`);
  return isFine;
}

/** Adapters with the real frameworks. */
function hosts(asked: readonly string[]): boolean {
  const firstOption = asked.findIndex((word) => word.startsWith("-"));
  const chosen = firstOption < 0 ? asked : asked.slice(0, firstOption);
  const unknown = chosen.filter((host) => !hostNames().includes(host));
  if (unknown.length > 0)
    throw new Error(`test-suite: one of ${hostNames().join(", ")} is required, got ${unknown.join(", ")}`);
  const names = chosen.length > 0 ? chosen : usualHostNames();
  // Coding agents, and the programs on the adapters' pages, run the package as it is published. For all hosts, CI has built it, and others may be using it.
  if (chosen.length > 0) npm(["run", "build"], root);
  const isTyped = names.map((host) => prepare(`hosts/${host}`, () => installHost(host))).every(Boolean);
  const filters = names.map((host) => `test/hosts/${host}/`);
  return runTests("hosts", [...asked.slice(chosen.length), ...filters]) && isTyped;
}

/**
 * The fleet with real servers and real clients. `node scripts/install-servers.ts` installs the servers.
 *
 * `DOOMLOOP_CAMPAIGNS=full` runs campaigns at the size that is published.
 */
function stores(options: readonly string[]): boolean {
  const isTyped = prepare("stores", () => installPackages(resolve(root, "test/stores"), "stores"));
  return runTests("stores", options) && isTyped;
}

/** The report page and the playground in a browser. */
function viewer(options: readonly string[]): boolean {
  const isTyped = prepare("viewer", () => installPackages(resolve(root, "test/viewer"), "viewer"));
  // CI has built the report page, and others may be reading it.
  const pages = process.env.CI ? ["playground"] : ["vite", "playground"];
  const isBuilt = pages.every((page) =>
    runProgram("vite", ["build", "packages/viewer", "--config", `packages/viewer/${page}.config.ts`]),
  );
  return isBuilt && runTests("viewer", options) && isTyped;
}

function prepare(folder: string, install: () => void): boolean {
  const start = performance.now();
  install();
  const hasTypes = existsSync(resolve(root, "test", folder, "tsconfig.json"));
  const isTyped = !hasTypes || runProgram("tsc", ["--noEmit", "--project", `test/${folder}`]);
  console.log(`${isTyped ? "ok  " : "FAIL"} ${folder}: installed and type-checked (${secondsSince(start)})`);
  return isTyped;
}

function runTests(folder: string, options: readonly string[]): boolean {
  return runProgram("vitest", ["run", "--config", `test/${folder}/vitest.config.ts`, ...options]);
}
