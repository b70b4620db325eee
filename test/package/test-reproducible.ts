import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { requireBuild } from "../../scripts/package/manifest.ts";
import { pack, unpack } from "../../scripts/package/tarball.ts";
import { npm } from "../../scripts/run-program.ts";

/**
 * Builds the package again, in a folder with another name and under other circumstances, and fails if its tarball differs by a byte from the
 * one of this folder. Needs a build.
 *
 * As it is, the copy uses the packages that are installed here. With `--clean`, two copies are made of what is committed, and each installs its
 * own packages: that is what a release is held to.
 */
requireBuild();
const root = resolve(import.meta.dirname, "../..");
const isClean = process.argv.includes("--clean");
const folder = mkdtempSync(join(tmpdir(), "doomloop-reproducible-"));

interface Circumstances {
  readonly name: string;
  readonly umask: number;
  readonly environment: Readonly<Record<string, string>>;
}

const HERE: Circumstances = { name: "a", umask: 0o022, environment: { TZ: "UTC", LC_ALL: "C", LANG: "C" } };
const ELSEWHERE: Circumstances = {
  name: "a folder with a longer name/b",
  umask: 0o077,
  environment: { TZ: "Pacific/Auckland", LC_ALL: "sv_SE.UTF-8", LANG: "sv_SE.UTF-8", SOURCE_DATE_EPOCH: "1" },
};

try {
  const original = packFrom(root, "original");
  const copies = (isClean ? [HERE, ELSEWHERE] : [ELSEWHERE]).map(build);
  console.log(`${hashOf(readFileSync(original))}  ${basename(original)}`);
  const others = copies.filter((copy) => hashOf(readFileSync(copy)) !== hashOf(readFileSync(original)));
  for (const other of others) console.log(`FAIL the tarballs differ:\n${differences(original, other).join("\n")}`);
  if (others.length === 0) console.log(`ok   ${copies.length + 1} builds are one tarball`);
  process.exitCode = others.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function build({ name, umask, environment }: Circumstances): string {
  const before = process.umask(umask);
  try {
    const home = join(folder, name);
    const env = { ...process.env, ...environment };
    copyTree(root, home, isClean ? "HEAD" : undefined);
    if (isClean) npm(["ci", "--prefer-offline"], home, env);
    else linkPackages(root, home);
    npm(["run", "build", "--silent"], home, env);
    return packFrom(home, `packed ${name}`);
  } finally {
    process.umask(before);
  }
}

function packFrom(home: string, name: string): string {
  const target = join(folder, name);
  mkdirSync(target, { recursive: true });
  return pack(target, join(home, "packages/doomloop"));
}

/** The files that differ, in content or rights. If none does, it is their order. */
function differences(first: string, second: string): readonly string[] {
  const [before, after] = [first, second].map((tarball) => {
    const listed = execFileSync("tar", ["-tvzf", tarball], { encoding: "utf8", env: { TZ: "UTC" } }).split("\n");
    const target = `${tarball}.files`;
    unpack(tarball, target);
    return new Set(listed.map((line) => `${line} ${contentHash(join(target, line.replace(/^.* package\//, "")))}`));
  });
  return [...before!, ...after!].filter((line) => !(before!.has(line) && after!.has(line))).sort();
}

function contentHash(file: string): string {
  return lstatSync(file, { throwIfNoEntry: false })?.isFile() ? hashOf(readFileSync(file)) : "";
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Copies what git knows of a folder, and what it would add, to another place. Of a commit, it takes exactly what is committed. */
function copyTree(from: string, to: string, commit?: string): void {
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
function linkPackages(from: string, to: string): void {
  for (const home of ["", "packages/doomloop", "packages/viewer"]) {
    const packages = join(from, home, "node_modules");
    if (existsSync(packages)) symlinkSync(packages, join(to, home, "node_modules"), "junction");
  }
}
