import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const files = ["package.json", "package-lock.json", ".npmrc"];

/**
 * Installs the packages of a folder that has a lock file of its own, and returns the folder that holds them.
 *
 * They are kept outside of the tree, under a name and the hash of the lock file, and linked into it: an install happens once a
 * machine and lock file, and a folder that is only half installed is never used.
 */
export function installPackages(home: string, name: string): string {
  const cache = process.env.DOOMLOOP_CI_CACHE || join(homedir(), ".cache/doomloop-ci");
  const kept = join(cache, `${name}-${hashOf(home)}`);
  if (!existsSync(kept)) install(home, kept);
  link(join(kept, "node_modules"), join(home, "node_modules"));
  return join(kept, "node_modules");
}

function hashOf(home: string): string {
  const hash = createHash("sha256");
  for (const file of files) hash.update(readFileSync(join(home, file)));
  hash.update(`${process.platform} ${process.arch} ${process.versions.modules}`);
  return hash.digest("hex").slice(0, 16);
}

function install(home: string, kept: string): void {
  const unfinished = `${kept}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  for (const file of files) copyFileSync(join(home, file), join(unfinished, file));
  try {
    execFileSync("npm", ["ci", "--no-audit", "--no-fund"], {
      cwd: unfinished,
      stdio: ["ignore", "ignore", "inherit"],
      // What npm is on Windows is started by a shell only.
      shell: process.platform === "win32",
    });
    // Somebody else may have been faster: theirs is as good.
    if (!existsSync(kept)) renameSync(unfinished, kept);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

function link(target: string, path: string): void {
  const present = lstatSync(path, { throwIfNoEntry: false });
  if (present?.isSymbolicLink() && readlinkSync(path) === target) return;
  if (present !== undefined) rmSync(path, { recursive: true });
  symlinkSync(target, path, "junction");
}
