import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, lstatSync, mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";

/** Copies what git knows of a folder, and what it would add, to another place. Of a commit, it takes exactly what is committed. */
export function copyTree(from: string, to: string, commit?: string): void {
  mkdirSync(to, { recursive: true });
  if (commit !== undefined) {
    const archive = execFileSync("git", ["archive", "--format=tar", commit], { cwd: from, maxBuffer: 1 << 30 });
    execFileSync("tar", ["-x"], { cwd: to, input: archive });
    return;
  }
  const words = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const names = execFileSync("git", words, { cwd: from, encoding: "utf8" }).split("\0");
  for (const name of names) {
    if (name === "" || !existsSync(join(from, name)) || !lstatSync(join(from, name)).isFile()) continue;
    mkdirSync(dirname(join(to, name)), { recursive: true });
    copyFileSync(join(from, name), join(to, name));
  }
}

/** Lets a copy use the packages that are installed in the original. */
export function linkPackages(from: string, to: string): void {
  for (const home of ["", "packages/doomloop", "packages/viewer"]) {
    const packages = join(from, home, "node_modules");
    if (existsSync(packages)) symlinkSync(packages, join(to, home, "node_modules"), "junction");
  }
}
