import { randomBytes } from "node:crypto";
import { closeSync, constants, fstatSync, linkSync, openSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isOwn, makePrivateFolder } from "../system/private-files.ts";

export interface ServerToken {
  readonly file: string;
  readonly token: string;
}

const OPEN_TO_OTHERS = 0o077;
const OPEN_TO_ALL = 0o027;
const TOKEN = /^[\w-]{43}$/;
const NAMED_TOKEN = /^[!-~]{16,256}$/;

/**
 * The token that hooks send to the server, the same at every start. Only the user can read its file. A file that others can read, or that
 * contains something else, is refused.
 */
export function serverToken(state: string): ServerToken {
  makePrivateFolder(state);
  const file = join(state, "serve-token");
  const token = readToken(file) ?? makeToken(file);
  if (token === undefined) throw new Error(`serve: a file that only you can read is required, got ${file}`);
  return { file, token };
}

/**
 * The token in a file that somebody has named. Undefined if there is no file. Throws for one that everybody can read. In a volume of
 * Kubernetes the name is a link, the file belongs to root, and a group may read it.
 */
export function tokenIn(file: string): string | undefined {
  return readToken(file, true);
}

/** Undefined if there is no token. Throws for one that cannot be trusted. */
function readToken(file: string, isNamed = false): string | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(file, constants.O_RDONLY | (isNamed ? 0 : (constants.O_NOFOLLOW ?? 0)));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  try {
    const stats = fstatSync(descriptor);
    const isOpen = process.platform !== "win32" && (stats.mode & (isNamed ? OPEN_TO_ALL : OPEN_TO_OTHERS)) !== 0;
    const isTrusted = isOwn(stats) || (isNamed && stats.uid === 0);
    const token = stats.isFile() && stats.size < 300 ? readFileSync(descriptor, "utf8").trim() : "";
    if (isOpen || !isTrusted || !(isNamed ? NAMED_TOKEN : TOKEN).test(token))
      throw new Error(`serve: a file with a token that only you can read is required (mode 600), got ${file}`);
    return token;
  } finally {
    closeSync(descriptor);
  }
}

/** Writes a temporary file and links it into place, so that two servers that start at once agree on one token. */
function makeToken(file: string): string | undefined {
  const beside = `${file}.${process.pid}`;
  writeFileSync(beside, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600, flag: "wx" });
  try {
    linkSync(beside, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    unlinkSync(beside);
  }
  return readToken(file);
}
