import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { requireBuild } from "./package/manifest.ts";
import { pack, readTarball, type TarballFile } from "./package/tarball.ts";

/** What the tarball holds, as it was last agreed to. */
const listFile = join(import.meta.dirname, "package/contents.txt");

/** A file may grow or shrink by so much before somebody must look at it. */
const FACTOR = 1.5;
const SLACK_KB = 10;

type PackedFile = Pick<TarballFile, "path" | "size">;

interface Line {
  readonly name: string;
  readonly kilobytes: number;
}

if (import.meta.main) writeContents();

/** Writes down what the tarball holds now. `npm run test:package` compares with it. Needs a build. */
function writeContents(): void {
  requireBuild();
  const folder = mkdtempSync(join(tmpdir(), "doomloop-contents-"));
  try {
    const lines = linesOf(readTarball(pack(folder)));
    writeFileSync(listFile, textOf(lines));
    console.log(`${lines.length} lines`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Throws if the tarball holds other files than the list says, or much larger or smaller ones: a file that nobody meant to publish is seen
 * before it is.
 */
export function checkContents(files: readonly PackedFile[]): string {
  const faults = compareContents(parse(readFileSync(listFile, "utf8")), linesOf(files));
  const advice = "If that is meant: node scripts/package-contents.ts, and commit scripts/package/contents.txt";
  if (faults.length > 0) throw new Error([...faults, advice].join("; "));
  return `${files.length} files`;
}

/** Names with the bundler's hashes left out. What import paths share is cut into files as the bundler likes, and is one line. */
export function linesOf(files: readonly PackedFile[]): readonly Line[] {
  const bytes = new Map<string, number>();
  for (const { path, size } of files) {
    const name = path
      .replace(/^dist\/chunks\/.*?(\.d\.ts|\.js(?:\.map)?)$/, "dist/chunks/*$1")
      .replace(/-[\w-]{8}(\.cjs)$/, "-*$1");
    bytes.set(name, (bytes.get(name) ?? 0) + size);
  }
  return [...bytes]
    .map(([name, size]) => ({ name, kilobytes: Math.ceil(size / 1000) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

export function compareContents(expected: readonly Line[], actual: readonly Line[]): readonly string[] {
  const before = new Map(expected.map(({ name, kilobytes }) => [name, kilobytes]));
  const after = new Map(actual.map(({ name, kilobytes }) => [name, kilobytes]));
  return [
    ...[...after.keys()].filter((name) => !before.has(name)).map((name) => `${name} is new`),
    ...[...before.keys()].filter((name) => !after.has(name)).map((name) => `${name} is missing`),
    ...[...after]
      .filter(([name, size]) => before.has(name) && isFar(before.get(name)!, size))
      .map(([name, size]) => `${name} has ${size} kB, about ${before.get(name)} are expected`),
  ];
}

function isFar(expected: number, actual: number): boolean {
  return actual > expected * FACTOR + SLACK_KB || actual < expected / FACTOR - SLACK_KB;
}

function textOf(lines: readonly Line[]): string {
  const head =
    "# What the tarball holds, and about how many kB each file has. Written by node scripts/package-contents.ts.\n";
  return head + lines.map(({ name, kilobytes }) => `${String(kilobytes).padStart(5)} ${name}\n`).join("");
}

function parse(text: string): readonly Line[] {
  return [...text.matchAll(/^ *(\d+) (\S+)$/gm)].map(([, kilobytes, name]) => ({
    name: name!,
    kilobytes: Number(kilobytes),
  }));
}
