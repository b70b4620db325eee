import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";

interface Manifest {
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** The folder of the package that is published. */
export const packageHome = resolve(import.meta.dirname, "../../packages/doomloop");

function readManifest(): Manifest {
  return JSON.parse(readFileSync(join(packageHome, "package.json"), "utf8")) as Manifest;
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
