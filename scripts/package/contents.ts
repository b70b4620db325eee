import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TarballFile } from "./read-tarball.ts";

/** What the tarball holds, as it was last agreed to. */
const listFile = join(import.meta.dirname, "contents.txt");

/** A file may grow or shrink by so much before somebody must look at it. */
const FACTOR = 1.5;
const SLACK_KB = 10;

type PackedFile = Pick<TarballFile, "path" | "size">;

interface Line {
  readonly name: string;
  readonly kilobytes: number;
}

/**
 * Throws if the tarball holds other files than the list says, or much larger or smaller ones: a file that nobody meant to publish is seen
 * before it is. With `isWritten`, the list is written anew first.
 */
export function checkContents(files: readonly PackedFile[], isWritten: boolean): string {
  const lines = linesOf(files);
  if (isWritten) writeFileSync(listFile, textOf(lines));
  const faults = compareContents(parse(readFileSync(listFile, "utf8")), lines);
  if (faults.length > 0)
    throw new Error(
      [...faults, "If that is meant: node scripts/package-contents.ts, and commit scripts/package/contents.txt"].join(
        "; ",
      ),
    );
  return `${files.length} files`;
}

/** Names with the bundler's hashes left out. What import paths share is cut into files as the bundler likes, and is one line. */
export function linesOf(files: readonly PackedFile[]): readonly Line[] {
  const bytes = new Map<string, number>();
  for (const { path, size } of files) {
    const name = path
      .replace(/^dist\/chunks\/.*?(\.js(?:\.map)?)$/, "dist/chunks/*$1")
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
