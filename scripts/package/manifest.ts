import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

interface Manifest {
  readonly version: string;
  readonly files: readonly string[];
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** The folder of the package that is published. */
export const packageHome = resolve(import.meta.dirname, "../../packages/doomloop");

export function readManifest(home: string = packageHome): Manifest {
  return JSON.parse(readFileSync(join(home, "package.json"), "utf8")) as Manifest;
}

/** The import paths that lead to code, such as `doomloop/ai-sdk`, and the file in `dist` that each leads to. */
export function importPaths(): ReadonlyMap<string, string> {
  const paths = Object.entries(readManifest().exports).flatMap(([path, target]) =>
    typeof target === "string" ? [] : [[path.replace(".", "doomloop"), target.default] as const],
  );
  return new Map(paths);
}

/** The files in `dist` that begin a bundle: import paths, and the programs of the command line. */
export function codeEntries(): readonly string[] {
  return [...importPaths().values(), ...Object.values(readManifest().bin)];
}

export function declarationEntries(): readonly string[] {
  return Object.values(readManifest().exports).flatMap((target) => (typeof target === "string" ? [] : [target.types]));
}

/** Packages that are there when the package runs. All others are bundled. */
export function runtimePackages(): readonly string[] {
  const { dependencies, peerDependencies } = readManifest();
  return Object.keys({ ...dependencies, ...peerDependencies });
}

/** Ends the process with one line if a file that package.json leads to is not built. */
export function requireBuild(): void {
  if ([...codeEntries(), ...declarationEntries()].every((file) => existsSync(join(packageHome, file)))) return;
  console.error("run npm run build first");
  process.exit(1);
}

/** A built file and those that it loads at once, in the order in which it asks for them. What is imported later does not count. */
export function loadedFiles(file: string, loaded: Set<string> = new Set()): ReadonlySet<string> {
  if (loaded.has(file)) return loaded;
  if (!existsSync(file)) throw new Error(`a build is required (npm run build), ${file} is missing`);
  loaded.add(file);
  const code = readFileSync(file, "utf8");
  for (const [, target = ""] of code.matchAll(/^(?:import|export) (?:[^"\n]*? from )?"(\.[^"\n]+)";$/gm)) {
    loadedFiles(join(dirname(file), target), loaded);
  }
  return loaded;
}
