import { DoomloopError } from "../core/doomloop-error.ts";

/**
 * A path inside the workspace as git writes it: `/` between names, one character a byte.
 *
 * Names are bytes on Linux, and not all of them are valid text. Converted to text and back, some would change.
 */
export type RawPath = string;

const GIT_NAME = /^\.git$/i;
const PLAIN = /^[ -~]*$/;

function rawPath(text: string): RawPath {
  return Buffer.from(text, "utf8").toString("latin1");
}

export function bytesOf(path: RawPath): Buffer {
  return Buffer.from(path, "latin1");
}

/** The path for people. Bytes that are not valid text are shown as replacement characters. */
export function shownPath(path: RawPath): string {
  return bytesOf(path).toString("utf8");
}

/** A path for file system calls. */
export type SystemPath = string | Buffer;

/** Joins a folder of this machine and a path inside it. Plain names stay text, which is faster. */
export function pathIn(folder: string, path: RawPath): SystemPath {
  const whole = `${folder}/${path}`;
  return PLAIN.test(path) ? whole : Buffer.concat([Buffer.from(`${folder}/`), bytesOf(path)]);
}

/** Whether a path stays inside the workspace and outside every `.git`. */
export function isOwnPath(path: RawPath): boolean {
  if (path === "" || path.includes("\0")) return false;
  if (process.platform === "win32" && /[\\:]/.test(path)) return false;
  return path.split("/").every((name) => name !== "" && name !== "." && name !== ".." && !GIT_NAME.test(name));
}

/** The folder that a path is in; empty for the workspace itself. */
export function parentOf(path: RawPath): RawPath {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

export function nameOf(path: RawPath): RawPath {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Splits the output of git with `-z`. */
export function splitRecords(output: Buffer): RawPath[] {
  const records = output.toString("latin1").split("\0");
  records.pop();
  return records;
}

/** Tests whether a path is one of these, or inside one of the folders among them (which end with `/`). */
export function among(paths: readonly RawPath[]): (path: RawPath) => boolean {
  const all = new Set(paths);
  return (path) => {
    if (all.has(path)) return true;
    for (let end = path.indexOf("/"); end >= 0; end = path.indexOf("/", end + 1)) {
      if (all.has(path.slice(0, end + 1))) return true;
    }
    return false;
  };
}

/** The option `paths` of a restore; undefined for the whole workspace. Throws a {@link DoomloopError} for a path outside. */
export function askedPaths(paths: readonly string[] | undefined): readonly RawPath[] | undefined {
  const own = paths?.map(askedPath);
  return own?.includes("") ? undefined : own;
}

/** Returns an empty path for the workspace itself. */
function askedPath(path: string): RawPath {
  const names = path.split("/").filter((name, at) => name !== "." && (name !== "" || at === 0));
  const own = rawPath(names.join("/"));
  if (path !== "" && (own === "" ? !path.startsWith("/") : isOwnPath(own))) return own;
  throw new DoomloopError(
    "invalid-option",
    `restore: paths: a path from the root of the workspace is required, got ${path}`,
  );
}
