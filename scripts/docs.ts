import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { installPackages } from "./install-packages.ts";
import { requireBuild } from "./package/require-build.ts";
import { programOf } from "./program-of.ts";

/** Builds the documentation site into `docs/.vitepress/dist`; with `--dev`, serves it and follows changes. Needs a build of the package. */
requireBuild();
const root = resolve(import.meta.dirname, "..");
const docs = join(root, "docs");
const packages = installPackages(docs, "docs");
const [mode = "--build"] = process.argv.slice(2);

const isFine =
  run(programOf("tsc"), ["--project", "docs"]) &&
  run("docs/write-api.ts", []) &&
  run(programOf("vitepress", packages), mode === "--dev" ? ["dev", "docs"] : ["build", "docs"]);
process.exitCode = isFine ? 0 : 1;

function run(program: string, words: string[]): boolean {
  return spawnSync(process.execPath, [program, ...words], { cwd: root, stdio: "inherit" }).status === 0;
}
