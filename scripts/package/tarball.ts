import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { npm } from "../run-program.ts";
import { packageHome } from "./manifest.ts";

export interface TarballFile {
  /** Below the package's folder. */
  readonly path: string;
  readonly size: number;
  readonly mode: string;
  readonly content: Uint8Array;
}

const BLOCK = 512;

/** Packs the package as it was built into a folder that holds no other tarball, and returns the tarball. */
export function pack(folder: string, home: string = packageHome): string {
  npm(["pack", "--pack-destination", folder], home);
  const [tarball, ...others] = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
  if (tarball === undefined || others.length > 0) throw new Error(`pack: one tarball is required in ${folder}`);
  return join(folder, tarball);
}

/** The files of a package's tarball, in its order. npm's own list is no help: it blackens what looks like a secret, and names of sessions do. */
export function readTarball(file: string): readonly TarballFile[] {
  const bytes = gunzipSync(readFileSync(file));
  const files: TarballFile[] = [];
  let longPath: string | undefined;
  for (let at = 0; at + BLOCK <= bytes.length && bytes[at] !== 0; ) {
    const size = Number.parseInt(text(bytes, at + 124, 12), 8);
    const content = bytes.subarray(at + BLOCK, at + BLOCK + size);
    const type = text(bytes, at + 156, 1);
    if (type === "x") longPath = /^\d+ path=(.*)$/m.exec(content.toString("utf8"))?.[1];
    else {
      const path = longPath ?? [text(bytes, at + 345, 155), text(bytes, at, 100)].filter(Boolean).join("/");
      longPath = undefined;
      files.push({ path: path.replace(/^package\//, ""), size, mode: text(bytes, at + 100, 8).trim(), content });
    }
    at += BLOCK * (1 + Math.ceil(size / BLOCK));
  }
  return files;
}

/** A field of a header, up to the zero that ends it. */
function text(bytes: Buffer, at: number, length: number): string {
  return bytes.toString("utf8", at, at + length).replace(/\0.*$/s, "");
}
