import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DoomloopError } from "../core/doomloop-error.ts";
import type { Captured } from "./capture.ts";
import { type RawPath, shownPath } from "./raw-path.ts";
import { writeSafely } from "./write-safely.ts";

/** A saved state of the workspace that can be restored. */
export interface Checkpoint {
  /** Twelve hexadecimal digits. */
  readonly id: string;
  /** The time it was made, in milliseconds since 1970. */
  readonly at: number;
  readonly label?: string;
  /** `asked`: a caller asked for it · `safety`: a restore made it before it changed anything. */
  readonly kind: "asked" | "safety";
  /** The number of files in it. */
  readonly files: number;
  /** The commit of `HEAD` in the user's repository, if there was one. */
  readonly head?: string;
  /** What is in the workspace but not in the checkpoint. */
  readonly leftOut: LeftOutSummary;
}

/** What checkpoints leave out and restores do not touch. */
export interface LeftOutSummary {
  /** The number of files and whole folders that are left out because they are ignored. */
  readonly ignored: number;
  /** Folders with a git repository of their own, and git directories under any name. */
  readonly nested: readonly string[];
  /** Files above `maxFileBytes`. */
  readonly tooLarge: readonly string[];
  /** Files and folders that this user may not read. */
  readonly unreadable: readonly string[];
}

/** A checkpoint with everything that a restore needs to know about it. */
export interface KnownCheckpoint {
  readonly checkpoint: Checkpoint;
  readonly tree: string;
  readonly facts: CheckpointFacts;
}

export interface CheckpointFacts {
  readonly permissions: ReadonlyMap<RawPath, number>;
  readonly leftOut: readonly RawPath[];
  readonly empty: readonly RawPath[];
  /** Patterns of ignored files from outside the workspace. */
  readonly excludes: string;
}

interface Entry {
  readonly checkpoint: Checkpoint;
  readonly tree: string;
}

/** The checkpoints of a workspace. Each is a small file, with a second one for what only a restore needs. */
export interface CheckpointStore {
  /** Newest first. */
  list(): readonly Checkpoint[];
  count(): number;
  /** The tree of the newest checkpoint. */
  latestTree(): string | undefined;
  add(checkpoint: Checkpoint, captured: Captured): KnownCheckpoint;
  /** The checkpoint with this id, or the only one whose id begins with it. Throws a {@link DoomloopError} otherwise. */
  get(id: string): KnownCheckpoint;
  /** Deletes all checkpoints for which `isKept` is false. `place` is 0 for the newest. Returns the ids of those that are left. */
  keepOnly(isKept: (checkpoint: Checkpoint, place: number) => boolean): readonly string[];
}

/** The number comes first, so that the newest file is found by its name. */
const ENTRY = /^(\d{8})-([0-9a-f]{12})\.json$/;
const FACTS = /^\d{8}-[0-9a-f]{12}\.facts$/;
const MIN_ID = 4;

export function openCheckpointStore(folder: string): CheckpointStore {
  /** Newest first. */
  const names = (): string[] =>
    readdirSync(folder)
      .filter((name) => ENTRY.test(name))
      .sort()
      .reverse();
  const read = (name: string): Entry => JSON.parse(readFileSync(join(folder, name), "utf8")) as Entry;
  const factsPath = (name: string): string => join(folder, name.replace(/json$/, "facts"));

  return {
    count: () => names().length,
    list: () => names().map((name) => read(name).checkpoint),
    latestTree() {
      const [latest] = names();
      return latest === undefined ? undefined : read(latest).tree;
    },
    add(checkpoint, captured) {
      const { tree } = captured;
      const facts = factsOf(captured);
      // A clock may be set back. This number only grows.
      const number = Number(names()[0]?.slice(0, 8) ?? 0) + 1;
      const name = `${String(number).padStart(8, "0")}-${checkpoint.id}.json`;
      const entry: Entry = { checkpoint, tree };
      writeSafely(factsPath(name), JSON.stringify({ ...facts, permissions: [...facts.permissions] }));
      writeSafely(join(folder, name), JSON.stringify(entry));
      return { ...entry, facts };
    },
    get(id) {
      const [name, another] = id.length < MIN_ID ? [] : names().filter((each) => each.slice(9).startsWith(id));
      if (name === undefined) throw unknownCheckpoint(id);
      if (another !== undefined) throw unknownCheckpoint(`${id}, with which several ids begin`);
      const text = readFileSync(factsPath(name), "utf8");
      const facts = JSON.parse(text) as Omit<CheckpointFacts, "permissions"> & { permissions: [RawPath, number][] };
      return { ...read(name), facts: { ...facts, permissions: new Map(facts.permissions) } };
    },
    keepOnly(isKept) {
      for (const [place, name] of names().entries()) {
        if (!isKept(read(name).checkpoint, place)) rmSync(join(folder, name), { force: true });
      }
      const left = new Set(names());
      // This also removes files that an interrupted process left behind.
      for (const name of readdirSync(folder).filter((each) => FACTS.test(each))) {
        if (!left.has(name.replace(/facts$/, "json"))) rmSync(join(folder, name), { force: true });
      }
      return [...left].map((name) => name.slice(9, 21));
    },
  };
}

export function unknownCheckpoint(id: string): DoomloopError {
  const message = `restore: no checkpoint ${id}; doomloop checkpoint --list shows them, and the id comes before paths`;
  return new DoomloopError("unknown-checkpoint", message);
}

/** What a restore needs to know about the workspace at that moment. */
export function factsOf({ permissions, leftOut, excludes }: Captured): CheckpointFacts {
  return { permissions, leftOut: leftOut.paths, empty: leftOut.empty, excludes };
}

/** What a checkpoint leaves out, for people. */
export function summaryOf(captured: Captured): Checkpoint["leftOut"] {
  const { nested, tooLarge, unreadable, leftOut } = captured;
  const known = new Set([...nested.map((folder) => `${folder}/`), ...tooLarge, ...unreadable]);
  return {
    ignored: leftOut.paths.filter((path) => !known.has(path)).length,
    nested: nested.map(shownPath),
    tooLarge: tooLarge.map(shownPath),
    unreadable: unreadable.map(shownPath),
  };
}
