import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";

/** Everything in a folder, by path (one character a byte): kind, permissions and content. */
export type FolderSnapshot = ReadonlyMap<string, string>;

/** Reads a folder without following links. */
export function snapshotOf(folder: string, skip: (path: string) => boolean = () => false): FolderSnapshot {
  const found = new Map<string, string>();
  const open = [""];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const name of readdirSync(bytes(folder, at), { encoding: "buffer" })) {
      const path = at === "" ? name.toString("latin1") : `${at}/${name.toString("latin1")}`;
      if (skip(path)) continue;
      found.set(path, describe(bytes(folder, path)));
      if (found.get(path) === "folder") open.push(path);
    }
  }
  return found;
}

/** The paths at which the files of two snapshots differ. */
export function differences(one: FolderSnapshot, other: FolderSnapshot): string[] {
  const paths = new Set([...one.keys(), ...other.keys()]);
  const fileAt = (look: FolderSnapshot, path: string) => (look.get(path) === "folder" ? undefined : look.get(path));
  return [...paths].filter((path) => fileAt(one, path) !== fileAt(other, path)).sort();
}

export function bytes(folder: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(path, "latin1")]);
}

function describe(path: Buffer): string {
  const found = lstatSync(path);
  if (found.isDirectory()) return "folder";
  if (found.isSymbolicLink()) return `link to ${readlinkSync(path, "latin1")}`;
  if (!found.isFile()) return "something else";
  return `${(found.mode & 0o7777).toString(8)} ${readFileSync(path, "latin1")}`;
}
