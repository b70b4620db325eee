import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { installPackages } from "./install-packages.ts";
import { programOf } from "./program-of.ts";

/** Builds the report page, installs what drives a browser, checks the types and runs the tests. Words go to vitest. */
const root = resolve(import.meta.dirname, "..");

installPackages(join(root, "test/viewer"), "viewer");
const isBuilt = run("vite", ["build", "packages/viewer", "--config", "packages/viewer/vite.config.ts"]);
const isTyped = run("tsc", ["--noEmit", "--project", "test/viewer"]);
const isFine = isBuilt && run("vitest", ["run", "--config", "test/viewer/vitest.config.ts", ...process.argv.slice(2)]);
process.exitCode = isBuilt && isTyped && isFine ? 0 : 1;

function run(program: string, words: string[]): boolean {
  return spawnSync(process.execPath, [programOf(program), ...words], { cwd: root, stdio: "inherit" }).status === 0;
}
