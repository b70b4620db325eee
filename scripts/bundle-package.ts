import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type RolldownOutput, rolldown } from "rolldown";
import { dts } from "rolldown-plugin-dts";
import { type BundledFile, bundledPackages, writeNotices } from "./package/bundled-packages.ts";
import { codeEntries, declarationEntries, packageHome, readManifest, runtimePackages } from "./package/manifest.ts";
import { registryReadme } from "./package/registry-readme.ts";
import { type SourceMap, thinSourceMap } from "./package/thin-source-map.ts";
import { writePlugins } from "./package/write-plugins.ts";

/**
 * Builds the package: code and declarations in `dist`, the report page, licences, and what makes it a plugin.
 *
 * There is one file for each import path and program, and the files that they share. Reading one file is far quicker than reading a hundred.
 * Nothing is minified: names and lines in a stack trace are those of the source, and maps lead to it.
 */
const root = resolve(import.meta.dirname, "..");
const dist = join(packageHome, "dist");
/** Threads start from a file of their own. */
const WORKER = "./dist/scan/scan-worker.js";
/** opencode reads its own from a file in a folder of its own, OpenClaw from the package. */
const PLUGINS = ["./dist/agents/opencode/plugin.js", "./dist/agents/openclaw/plugin.js"];
/** The doctor loads that plugin in a process of its own. */
const PLAYER = "./dist/agents/opencode/play-plugin.js";
/** What agents start at every event, and what that starts once. */
const HOOK_PROGRAMS = ["./dist/agents/hook-client/main.js", "./dist/service/resident-program.js"];
const HOOK_SCRIPTS = ["agents/hook-client/hook.sh", "agents/hook-client/ask-resident.pl"];
/** What runs inside of somebody's agent. A fault of the command line is told by its place in the bundle, which is not minified. */
const EMBEDDED = /[\\/]src[\\/](?:adapters|core|fleet|host|telemetry|testing|workspace)[\\/]/;
/** Chunks of our own programs hold some of that, too. Nobody debugs those by their source maps. */
const PROGRAM = /[\\/]src[\\/](?:cli|service)[\\/]/;

const { version, files } = readManifest();
rmSync(dist, { recursive: true, force: true });
// The tarball holds the root's LICENSE and README.
copyFileSync(join(root, "LICENSE"), join(packageHome, "LICENSE"));
writeFileSync(join(packageHome, "README.md"), registryReadme(readFileSync(join(root, "README.md"), "utf8"), version));
writePlugins();
await bundleDeclarations();
writeNotices(
  bundledPackages([
    ...(await bundleCode()),
    await buildPage(),
    // The prices are no code, and come from there.
    { file: "assets/prices.json", modules: [fileURLToPath(import.meta.resolve("@pydantic/genai-prices"))] },
  ]),
);
for (const script of HOOK_SCRIPTS) copyFileSync(join(packageHome, "src", script), join(dist, script));
// The client for Python, for those who have no other way to get it.
mkdirSync(join(packageHome, "python"), { recursive: true });
copyFileSync(join(root, "clients/python/doomloop.py"), join(packageHome, "python/doomloop.py"));
for (const name of ["package.json", ...files]) settleModes(join(packageHome, name));

/** The declarations of each import path, without what no caller comes across. Types were checked before: the plugin does not. */
async function bundleDeclarations(): Promise<void> {
  // It says at each build that it uses TypeScript 7, and that this is experimental.
  const logger = { info() {}, warn() {}, error: console.error };
  const bundle = await rolldown({
    cwd: packageHome,
    input: inputOf(declarationEntries()),
    external: [/^node:/, ...runtimePackages()],
    plugins: [dts({ cwd: packageHome, tsconfig: join(packageHome, "tsconfig.json"), emitDtsOnly: true, logger })],
    // An import of a module of Node would ask for Node's types.
    treeshake: { moduleSideEffects: false },
    checks: { pluginTimings: false },
    onLog: failOnWarning,
  });
  await bundle.write({ dir: dist, chunkFileNames: "chunks/[name].d.ts" });
  await bundle.close();
}

async function bundleCode(): Promise<BundledFile[]> {
  const bundle = await rolldown({
    cwd: packageHome,
    input: inputOf([...codeEntries(), WORKER, ...PLUGINS, PLAYER, ...HOOK_PROGRAMS]),
    platform: "node",
    external: [/^node:/, ...runtimePackages()],
    onLog: failOnWarning,
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
        {
          name: "core",
          test: /[\\/]doomloop[\\/]src[\\/](?:core[\\/]|create-guard\.ts|index\.ts|platform\.ts)/,
        },
        { name: "host", test: /[\\/]src[\\/]host[\\/]/ },
      ],
    },
  });
  await bundle.close();
  return finishCode(output);
}

function finishCode(output: RolldownOutput["output"]): BundledFile[] {
  const chunks = output.filter((file) => file.type === "chunk");
  for (const { fileName, moduleIds } of chunks) {
    const path = join(dist, fileName);
    // The bundler says above each module where it comes from. Where packages happen to be installed is no part of what is built.
    let code = readFileSync(path, "utf8").replaceAll(/^\/\/ .*\/node_modules\/(?=\S+\.m?js$)/gm, "// node_modules/");
    if (!moduleIds.some((id) => EMBEDDED.test(id)) || moduleIds.some((id) => PROGRAM.test(id))) {
      code = code.replace(/\n\/\/# sourceMappingURL=.*\s*$/, "\n");
      rmSync(`${path}.map`, { force: true });
    }
    writeFileSync(path, code);
    if (!existsSync(`${path}.map`)) continue;
    const map = JSON.parse(readFileSync(`${path}.map`, "utf8")) as SourceMap;
    writeFileSync(`${path}.map`, JSON.stringify(thinSourceMap(map)));
  }
  return chunks.map(({ fileName, moduleIds }) => ({ file: `dist/${fileName}`, modules: moduleIds }));
}

interface Vite {
  build(options: { configFile: string; root: string }): Promise<{
    readonly output: readonly { readonly type: string; readonly moduleIds?: readonly string[] }[];
  }>;
}

/** Builds the report page into the package, with the viewer's own Vite. */
async function buildPage(): Promise<BundledFile> {
  const viewer = join(root, "packages/viewer");
  const entry = createRequire(join(viewer, "package.json")).resolve("vite");
  const { build } = (await import(pathToFileURL(entry).href)) as Vite;
  const { output } = await build({ configFile: join(viewer, "vite.config.ts"), root: viewer });
  return { file: "assets/report.html", modules: output.flatMap(({ moduleIds = [] }) => moduleIds) };
}

/**
 * Gives every file that is published the same rights. A tarball keeps them, and they would otherwise be those that the umask of the person who
 * cloned the repository leaves: the same source would make another tarball.
 */
function settleModes(path: string): void {
  const isFolder = statSync(path).isDirectory();
  chmodSync(path, isFolder ? 0o755 : 0o644);
  if (isFolder) for (const name of readdirSync(path)) settleModes(join(path, name));
}

/** The sources of built files, by their names below `dist`. */
function inputOf(built: readonly string[]): Record<string, string> {
  const names = built.map((file) => file.replace(/^\.\/dist\/(.*?)\.(?:d\.ts|js)$/, "$1"));
  return Object.fromEntries(names.map((name) => [name, `src/${name}.ts`]));
}

function failOnWarning(level: string, { message }: { readonly message: string }): void {
  if (level === "warn") throw new Error(`bundle-package: ${message}`);
}
