import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { npm } from "../run-program.ts";
import { packageHome } from "./manifest.ts";

/** Packs the package as it was built into a folder that holds no other tarball, and returns the tarball. */
export function pack(folder: string, home: string = packageHome): string {
  npm(["pack", "--pack-destination", folder], home);
  const [tarball, ...others] = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
  if (tarball === undefined || others.length > 0) throw new Error(`pack: one tarball is required in ${folder}`);
  return join(folder, tarball);
}

/** Puts the files of a tarball into a folder. */
export function unpack(tarball: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  execFileSync("tar", ["-xzf", tarball, "-C", folder, "--strip-components=1"]);
}
