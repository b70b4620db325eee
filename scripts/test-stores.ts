import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { installPackages } from "./install-packages.ts";
import { programOf } from "./program-of.ts";

/**
 * Holds the fleet to real servers and real clients: installs the clients, checks the types, runs the tests. Words go to vitest,
 * so the name of a file chooses it. The servers are installed by `node scripts/install-servers.ts`.
 *
 * `DOOMLOOP_CAMPAIGNS=full` runs the campaigns at the size that is published, `DOOMLOOP_CAMPAIGN_REPORT` names a file for their figures.
 */
const root = resolve(import.meta.dirname, "..");

// Kept and linked as a host's packages are.
installPackages(join(root, "test/stores"), "stores");
const isTyped = run("tsc", ["--noEmit", "--project", "test/stores"]);
console.log(`${isTyped ? "ok  " : "FAIL"} stores: installed and type-checked`);
const isFine = run("vitest", ["run", "--config", "test/stores/vitest.config.ts", ...process.argv.slice(2)]);
process.exitCode = isTyped && isFine ? 0 : 1;

function run(program: string, words: string[]): boolean {
  return spawnSync(process.execPath, [programOf(program), ...words], { cwd: root, stdio: "inherit" }).status === 0;
}
