import { globSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { importPaths, loadedFiles } from "../../scripts/package/manifest.ts";

interface Part {
  readonly what: string;
  /** Words that stand in its code and nowhere else. */
  readonly mark: string;
  /** The import paths that may bring it. */
  readonly allowed: readonly string[];
}

/** So much the main import path may load, in bytes. The goal is 150,000: lower this whenever there is less. */
const MOST_LOADED = 222_000;

const PARTS: readonly Part[] = [
  { what: "the command line", mark: "print the help of a command", allowed: [] },
  { what: "the report page", mark: 'id="doomloop-report"', allowed: [] },
  { what: "the prices", mark: "cache_write_mtok", allowed: [] },
  { what: "the fleet over Redis", mark: "PFADD", allowed: ["doomloop/fleet"] },
  {
    what: "what runs tell a fleet",
    mark: "action prompt question format",
    allowed: ["doomloop/fleet", "doomloop/testing"],
  },
  { what: "checkpoints", mark: "core.hooksPath", allowed: ["doomloop/workspace"] },
  { what: "readers of transcripts", mark: "mini-swe-agent", allowed: ["doomloop/transcripts"] },
];

/** Bundles an app for each import path of the installed package, and throws if one carries what it has no use for. */
export async function checkBundles(project: string): Promise<void> {
  const shipped = globSync("node_modules/doomloop/dist/**/*.js", { cwd: project })
    .map((file) => readFileSync(join(project, file), "utf8"))
    .join("\n");
  for (const { what, mark } of PARTS) {
    if (!shipped.includes(mark))
      throw new Error(`${what}: ${mark} is required to know it by, and nowhere in the package`);
  }
  for (const path of importPaths().keys()) {
    const code = await bundleApp(project, path);
    const carried = PARTS.filter(({ mark, allowed }) => code.includes(mark) && !allowed.includes(path));
    if (carried.length > 0)
      throw new Error(`an app with ${path} carries ${carried.map(({ what }) => what).join(", ")}`);
  }
}

/** Throws if the main import path loads more code than it may. Nothing is minified. */
export function checkLoaded(project: string): void {
  const files = [...loadedFiles(join(project, "node_modules/doomloop/dist/index.js"))];
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  if (bytes > MOST_LOADED) throw new Error(`at most ${MOST_LOADED} bytes are required, doomloop loads ${bytes}`);
}

/** Throws if the command line loads, before it knows what it is asked for, more than it needs to say its version. */
export function checkStart(project: string): void {
  const files = loadedFiles(join(project, "node_modules/doomloop/dist/cli/main.js"));
  const code = [...files].map((file) => readFileSync(file, "utf8")).join("\n");
  const carried = PARTS.slice(1).filter(({ mark }) => code.includes(mark));
  if (carried.length > 0) throw new Error(`the command line begins with ${carried.map(({ what }) => what).join(", ")}`);
  if (!code.includes(PARTS[0]!.mark)) throw new Error("the command line is required at its beginning");
}

/** All that the import path exports is used: an app that uses less carries no more. */
async function bundleApp(project: string, path: string): Promise<string> {
  const app = join(project, "app.js");
  writeFileSync(app, `export * from "${path}";\n`);
  const bundle = await rolldown({ input: app, platform: "node", external: /^node:/ });
  try {
    const { output } = await bundle.generate({ format: "esm" });
    return output.map((file) => (file.type === "chunk" ? file.code : "")).join("\n");
  } finally {
    await bundle.close();
  }
}
