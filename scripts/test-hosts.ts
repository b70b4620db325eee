import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { hostNames, installHost, usualHostNames } from "./install-host.ts";
import { programOf } from "./program-of.ts";

/**
 * Holds adapters to the real frameworks: installs them, checks the types, runs the tests. Names of hosts choose among them;
 * from the first word that begins with a dash on, everything goes to vitest.
 */
const root = resolve(import.meta.dirname, "..");
const words = process.argv.slice(2);
const firstOption = words.findIndex((word) => word.startsWith("-"));
const chosen = firstOption < 0 ? words : words.slice(0, firstOption);
const options = firstOption < 0 ? [] : words.slice(firstOption);
const unknown = chosen.filter((name) => !hostNames().includes(name));
if (unknown.length > 0)
  throw new Error(`test-hosts: one of ${hostNames().join(", ")} is required, got ${unknown.join(", ")}`);

const names = chosen.length > 0 ? chosen : usualHostNames();
let isFine = true;

for (const name of names) {
  const start = performance.now();
  installHost(name);
  const isTyped =
    !existsSync(join(root, "test/hosts", name, "tsconfig.json")) ||
    run("tsc", ["--noEmit", "--project", `test/hosts/${name}`]);
  isFine &&= isTyped;
  console.log(
    `${isTyped ? "ok  " : "FAIL"} ${name}: installed and type-checked (${((performance.now() - start) / 1000).toFixed(1)} s)`,
  );
}
const filters = names.map((name) => `test/hosts/${name}/`);
isFine = run("vitest", ["run", "--config", "test/hosts/vitest.config.ts", ...options, ...filters]) && isFine;
process.exitCode = isFine ? 0 : 1;

function run(program: string, args: string[]): boolean {
  return spawnSync(process.execPath, [programOf(program), ...args], { cwd: root, stdio: "inherit" }).status === 0;
}
