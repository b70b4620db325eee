import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const MAX_BYTES = 3.4 * 1024 * 1024;
const MAX_DEPENDENCIES = 2;
/** What files and folders take on most disks: whole blocks. */
const BLOCK = 4096;

/** Throws if the package, as it was installed into an empty project, takes more room or packages than it may. Returns what it takes. */
export function checkInstall(project: string): string {
  const bytes = bytesOn(join(project, "node_modules"));
  const { packages } = JSON.parse(readFileSync(join(project, "package-lock.json"), "utf8")) as { packages: object };
  const others = Object.keys(packages).filter((path) => path !== "" && path !== "node_modules/doomloop");
  const words = `${(bytes / 1024 / 1024).toFixed(2)} MB on the disk, ${others.length} other packages`;
  if (bytes > MAX_BYTES) throw new Error(`at most ${MAX_BYTES / 1024 / 1024} MB are required, got ${words}`);
  if (others.length > MAX_DEPENDENCIES) throw new Error(`at most ${MAX_DEPENDENCIES} are required, got ${others}`);
  return words;
}

function bytesOn(folder: string): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sum + bytesOn(path);
    return entry.isFile() ? sum + Math.ceil(statSync(path).size / BLOCK) * BLOCK : sum;
  }, BLOCK);
}
