import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { bundleHook, HOOK_PROGRAM } from "./package/bundle-hook.ts";
import { codeEntries, packageHome, runtimePackages } from "./package/manifest.ts";
import { type SourceMap, thinSourceMap } from "./package/thin-source-map.ts";
import { writeNotices } from "./package/write-notices.ts";

/**
 * Bundles the package into `dist`: one file for each import path and program, and the files that they share. Reading one
 * file is far quicker than reading a hundred.
 *
 * Nothing is minified: names and lines in a stack trace are those of the source, and maps lead to it. The hook is an exception: it is one
 * small file of its own, and prints no stack traces.
 */
const dist = join(packageHome, "dist");
/** Threads start from a file of their own. */
const WORKER = "./dist/cli/scan/scan-worker.js";
/** opencode reads it from a file in a folder of its own. */
const PLUGIN = "./dist/cli/opencode/plugin.js";

const entries = [...codeEntries(), WORKER, PLUGIN].filter((file) => file !== HOOK_PROGRAM);
const names = entries.map((file) => file.replace(/^\.\/dist\/(.*)\.js$/, "$1"));
const bundle = await rolldown({
  cwd: packageHome,
  input: Object.fromEntries(names.map((name) => [name, `src/${name}.ts`])),
  platform: "node",
  external: [/^node:/, ...runtimePackages()],
  onLog(level, { message }) {
    if (level === "warn") throw new Error(`bundle-package: ${message}`);
  },
});
const { output } = await bundle.write({
  dir: dist,
  format: "esm",
  entryFileNames: "[name].js",
  chunkFileNames: "chunks/[name].js",
  sourcemap: true,
  comments: { legal: true, annotation: true, jsdoc: false },
  codeSplitting: {
    // What every import path needs is not scattered over files because one of them needs a little less.
    groups: [
      { name: "core", test: /[\\/]doomloop[\\/]src[\\/](?:core[\\/]|index\.ts|platform\.ts)/ },
      { name: "host", test: /[\\/]src[\\/]host[\\/]/ },
    ],
  },
});
await bundle.close();

for (const { fileName } of output.filter((file) => file.fileName.endsWith(".map"))) {
  const path = join(dist, fileName);
  const map = JSON.parse(readFileSync(path, "utf8")) as SourceMap;
  writeFileSync(path, JSON.stringify(thinSourceMap(map)));
}
const modules = output.flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
modules.push(...(await bundleHook()));
// The prices are no code, and come from there.
writeNotices([...modules, fileURLToPath(import.meta.resolve("@pydantic/genai-prices"))]);
