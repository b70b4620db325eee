import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { npm, secondsSince } from "./run-program.ts";

const root = resolve(import.meta.dirname, "..");
const hosts = join(root, "test/hosts");
/** Whole coding agents: a gigabyte to install, and slow enough to miss a hook's second on a busy machine. Tested when somebody names them. */
const ON_REQUEST = ["claude-code", "cline", "codex", "copilot-cli", "gemini-cli", "openclaw", "opencode", "qwen-code"];
const files = ["package.json", "package-lock.json", ".npmrc"];

if (import.meta.main) installAll();

/** Installs what the suites of hosts, stores and the report page need, and the documentation site, so that they find it when they begin. */
function installAll(): void {
  const folders = [
    "test/viewer",
    "test/stores",
    "test/examples",
    "docs",
    ...usualHostNames().map((name) => `test/hosts/${name}`),
  ];
  for (const folder of folders) {
    const start = performance.now();
    const name = folder.replace(/^test\//, "");
    installPackages(join(root, folder), name);
    console.log(`ok   ${name}: installed (${secondsSince(start)})`);
  }
}

/** The frameworks that adapters are held to, by folder name. */
export function hostNames(): string[] {
  return readdirSync(hosts).filter((name) => existsSync(join(hosts, name, "package.json")));
}

/** The hosts that are tested where nobody names one. */
export function usualHostNames(): string[] {
  return hostNames().filter((name) => !ON_REQUEST.includes(name));
}

/** Installs the packages of a host and returns the folder that holds them. */
export function installHost(name: string): string {
  return installPackages(join(hosts, name), `hosts/${name}`);
}

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
    npm(["ci", "--no-audit", "--no-fund"], unfinished);
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
