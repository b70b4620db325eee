/**
 * A path inside the workspace as git writes it: `/` between names, one character a byte.
 *
 * Names are bytes on Linux, and not all of them are text. As text they would not survive being written down and read again.
 */
export type RawPath = string;

const GIT_NAME = /^\.git$/i;
const PLAIN = /^[ -~]*$/;

export function rawPath(text: string): RawPath {
  return Buffer.from(text, "utf8").toString("latin1");
}

export function bytesOf(path: RawPath): Buffer {
  return Buffer.from(path, "latin1");
}

/** The path for people. Bytes that are no text are shown as replacement characters. */
export function shownPath(path: RawPath): string {
  return bytesOf(path).toString("utf8");
}

/** A path for calls of the file system. */
export type SystemPath = string | Buffer;

/** A folder of this machine, with a path inside it. Plain names stay text, which is quicker. */
export function pathIn(folder: string, path: RawPath): SystemPath {
  const whole = `${folder}/${path}`;
  return PLAIN.test(path) ? whole : Buffer.concat([Buffer.from(`${folder}/`), bytesOf(path)]);
}

/** Whether a path stays inside the workspace and keeps out of every `.git`. */
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

/** Splits what git writes with `-z`. */
export function splitRecords(output: Buffer): RawPath[] {
  const records = output.toString("latin1").split("\0");
  records.pop();
  return records;
}

/** Whether a path is one of these, or in one of their folders (which end with `/`). */
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
