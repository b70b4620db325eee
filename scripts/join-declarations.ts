import { globSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { type DeclarationFiles, findWanted, originOf } from "./declarations/find-wanted.ts";
import { joinLayer } from "./declarations/join-layer.ts";
import { readDeclarations } from "./declarations/read-declarations.ts";
import { declarationEntries, packageHome, runtimePackages } from "./package/manifest.ts";

/**
 * Joins the declarations of each layer into one file, and leaves out what no caller comes across: most describe code that is
 * bundled, and hundreds of small files take several times the room of what they hold.
 */
const dist = join(packageHome, "dist");
const entries = declarationEntries().map((entry) => resolve(packageHome, entry));
const paths = globSync("**/*.d.ts", { cwd: dist }).map((file) => resolve(dist, file));
const files: DeclarationFiles = new Map(paths.map((path) => [path, readDeclarations(path)]));
const wanted = findWanted(files, entries);
const meanings = new Map<string, string>();
// Entries first: their files are where they are.
const targets = new Map([...wanted.keys()].sort(byEntry).map((path) => [path, targetOf(path)]));
const options = { files, wanted, targets, packages: runtimePackages() };

const joined = [...new Set(targets.values())].map(
  (target) => [target, joinLayer(target, entries.includes(target), options)] as const,
);
rmSync(dist, { recursive: true });
for (const [target, text] of joined) {
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
}

function byEntry(one: string, other: string): number {
  return Number(entries.includes(other)) - Number(entries.includes(one));
}

/** The file that declarations go to: that of their layer, unless one of their names means something else there. */
function targetOf(path: string): string {
  const layer = layerOf(path);
  const own = [...wanted.get(path)!].map((name) => {
    const { from, name: declared } = originOf(files, path, name);
    return [`${layer} ${name}`, `${from} ${declared}`] as const;
  });
  if (own.some(([key, meaning]) => (meanings.get(key) ?? meaning) !== meaning)) return path;
  for (const [key, meaning] of own) meanings.set(key, meaning);
  return layer;
}

/** The file that a layer's declarations go to: that of its import path, if it has one. */
function layerOf(path: string): string {
  const folders = relative(dist, dirname(path)).split(sep);
  const layer = join(dist, ...folders.slice(0, folders[0] === "adapters" ? 2 : 1));
  if (layer === dist) return path;
  return entries.find((entry) => dirname(entry) === layer) ?? `${layer}.d.ts`;
}
