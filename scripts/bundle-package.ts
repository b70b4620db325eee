import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { buildPage } from "./package/build-page.ts";
import { bundleHook, HOOK_PROGRAM } from "./package/bundle-hook.ts";
import { bundledPackages } from "./package/bundled-packages.ts";
import { codeEntries, packageHome, runtimePackages } from "./package/manifest.ts";
import { settleModes } from "./package/settle-modes.ts";
import { type SourceMap, thinSourceMap } from "./package/thin-source-map.ts";
import { writeNotices } from "./package/write-notices.ts";
import { writeSbom } from "./package/write-sbom.ts";

/**
 * Bundles the package into `dist`: one file for each import path and program, and the files that they share. Reading one
 * file is far quicker than reading a hundred.
 *
 * Nothing is minified: names and lines in a stack trace are those of the source, and maps lead to it. The hook is an exception: it is one
 * small file of its own, and prints no stack traces.
 */
const dist = join(packageHome, "dist");
/** Threads start from a file of their own. */
const WORKER = "./dist/scan/scan-worker.js";
/** opencode reads its own from a file in a folder of its own, OpenClaw from the package. */
const PLUGINS = ["./dist/agents/opencode/plugin.js", "./dist/agents/openclaw/plugin.js"];

/** The doctor loads that plugin in a process of its own. */
const PLAYER = "./dist/agents/opencode/play-plugin.js";

const entries = [...codeEntries(), WORKER, ...PLUGINS, PLAYER].filter((file) => file !== HOOK_PROGRAM);
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

// The bundler says above each module where it comes from. Where packages happen to be installed is no part of what is built.
for (const file of output) {
  if (file.type !== "chunk" || !file.moduleIds.some((id) => id.includes("node_modules"))) continue;
  const path = join(dist, file.fileName);
  const code = readFileSync(path, "utf8");
  writeFileSync(path, code.replaceAll(/^\/\/ .*\/node_modules\/(?=\S+\.m?js$)/gm, "// node_modules/"));
}

/** What runs inside of somebody's agent. A fault of the command line is told by its place in the bundle, which is not minified. */
const EMBEDDED = /[\\/]src[\\/](?:adapters|core|fleet|host|telemetry|testing|workspace)[\\/]/;
for (const file of output) {
  if (file.type !== "chunk" || file.moduleIds.some((id) => EMBEDDED.test(id))) continue;
  const path = join(dist, file.fileName);
  writeFileSync(path, readFileSync(path, "utf8").replace(/\n\/\/# sourceMappingURL=.*\s*$/, "\n"));
  rmSync(`${path}.map`, { force: true });
}

for (const { fileName } of output.filter(
  ({ fileName }) => fileName.endsWith(".map") && existsSync(join(dist, fileName)),
)) {
  const path = join(dist, fileName);
  const map = JSON.parse(readFileSync(path, "utf8")) as SourceMap;
  writeFileSync(path, JSON.stringify(thinSourceMap(map)));
}
const packages = bundledPackages([
  ...output.flatMap((file) =>
    file.type === "chunk" ? [{ file: `dist/${file.fileName}`, modules: file.moduleIds }] : [],
  ),
  ...(await bundleHook()),
  await buildPage(),
  // The prices are no code, and come from there.
  { file: "assets/prices.json", modules: [fileURLToPath(import.meta.resolve("@pydantic/genai-prices"))] },
]);
writeNotices(packages);
writeSbom(packages);
settleModes();
