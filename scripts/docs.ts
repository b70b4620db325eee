import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { installPackages } from "./install-packages.ts";
import { requireBuild } from "./package/manifest.ts";
import { programOf } from "./run-program.ts";

/** Builds the documentation site into `docs/.vitepress/dist`; with `--dev`, serves it and follows changes. Needs a build of the package. */
requireBuild();
const root = resolve(import.meta.dirname, "..");
const packages = installPackages(resolve(root, "docs"), "docs");
const [mode = "--build"] = process.argv.slice(2);

const isFine =
  run(programOf("tsc"), ["--project", "docs"]) &&
  run("docs/write-api.ts", []) &&
  run(programOf("vite"), ["build", "packages/viewer", "--config", "packages/viewer/playground.config.ts"]) &&
  run(programOf("vitepress", packages), mode === "--dev" ? ["dev", "docs"] : ["build", "docs"]);
process.exitCode = isFine ? 0 : 1;

function run(program: string, words: string[]): boolean {
  return spawnSync(process.execPath, [program, ...words], { cwd: root, stdio: "inherit" }).status === 0;
}
