import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { packageHome } from "./manifest.ts";

export interface PackedFile {
  readonly path: string;
  readonly size: number;
}

export interface Packed {
  readonly tarball: string;
  readonly files: readonly PackedFile[];
}

/** Packs the package as it was built into a folder. */
export function pack(folder: string, home: string = packageHome): Packed {
  const output = execFileSync("npm", ["pack", "--json", "--pack-destination", folder], {
    cwd: home,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    // What npm is on Windows is started by a shell only.
    shell: process.platform === "win32",
  });
  // An array, or from npm 12 on an object with the name of each package.
  const [packed] = Object.values(JSON.parse(output) as Record<string, { filename: string; files: PackedFile[] }>);
  return { tarball: join(folder, packed!.filename), files: packed!.files };
}
