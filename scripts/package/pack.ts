import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { packageHome } from "./manifest.ts";

/** Packs the package as it was built into a folder that holds no other tarball, and returns the tarball. */
export function pack(folder: string, home: string = packageHome): string {
  execFileSync("npm", ["pack", "--pack-destination", folder], {
    cwd: home,
    stdio: "ignore",
    // What npm is on Windows is started by a shell only.
    shell: process.platform === "win32",
  });
  const [tarball, ...others] = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
  if (tarball === undefined || others.length > 0) throw new Error(`pack: one tarball is required in ${folder}`);
  return join(folder, tarball);
}
