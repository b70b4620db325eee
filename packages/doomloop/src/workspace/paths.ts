import { lstatSync, type Stats } from "node:fs";
import { DoomloopError } from "../core/doomloop-error.ts";

/** Paths are relative to the workspace, with `/` between names. A name that is not UTF-8 has this character in it, and is left alone. */
export const NO_TEXT = "\uFFFD";
const NAMES_OF_GIT = /(?:^|\/)(?:\.{0,2}|\.git)(?:\/|$)/i;

/** Whether a path stays inside the workspace and outside every `.git`. */
export function isOwnPath(path: string): boolean {
  if (path.includes("\0") || path.includes(NO_TEXT) || NAMES_OF_GIT.test(path)) return false;
  return process.platform !== "win32" || !/[\\:]/.test(path);
}

/** The folder that a path is in; empty for the workspace itself. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** A path and all folders above it, the innermost first, without the workspace itself. */
export function withFoldersAbove(path: string): readonly string[] {
  const all: string[] = [];
  for (let at = path; at !== ""; at = parentOf(at)) all.push(at);
  return all;
}

/** Splits the output of git with `-z`. */
export function splitRecords(output: Buffer): readonly string[] {
  return output.toString("utf8").split("\0").slice(0, -1);
}

/** Tests whether a path is one of these, or inside one of them. */
export function among(paths: readonly string[]): (path: string) => boolean {
  const all = new Set(paths);
  return (path) => withFoldersAbove(path).some((each) => all.has(each));
}

/** The option `paths` of a restore; undefined for the whole workspace. Throws a {@link DoomloopError} for a path outside. */
export function askedPaths(paths: readonly string[] | undefined): readonly string[] | undefined {
  const own = paths?.map((path) => {
    const plain = path.split("/").filter((name, at) => name !== "." && (name !== "" || at === 0));
    const isInside = plain.length === 0 || isOwnPath(plain.join("/"));
    if (isInside) return plain.join("/");
    const required = "a path from the root of the workspace is required";
    throw new DoomloopError("invalid-option", `restore: paths: ${required}, got ${path}`);
  });
  return own?.includes("") ? undefined : own;
}

/** What is at a path, without following a link. Undefined if there is nothing that this user may look at. */
export function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Whether a folder is a work tree of its own, or a git directory under any name. Restoring files in there could make commits vanish. */
export function isRepository(folder: string): boolean {
  return lookAt(`${folder}/.git`) !== undefined || isGitDirectory(folder);
}

/** Whether a folder is a git directory. */
export function isGitDirectory(folder: string): boolean {
  if (lookAt(`${folder}/HEAD`)?.isDirectory() !== false) return false;
  return ["objects", "refs"].every((name) => lookAt(`${folder}/${name}`) !== undefined);
}
