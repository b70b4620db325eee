import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DoomloopError } from "../core/doomloop-error.ts";
import type { Captured } from "./capture.ts";
import type { Checkpoint } from "./checkpoint.ts";
import { type RawPath, shownPath } from "./raw-path.ts";
import { writeSafely } from "./write-safely.ts";

/** A checkpoint with what a restore has to know about it. */
export interface KnownCheckpoint {
  readonly checkpoint: Checkpoint;
  readonly tree: string;
  readonly facts: CheckpointFacts;
}

export interface CheckpointFacts {
  readonly permissions: ReadonlyMap<RawPath, number>;
  readonly leftOut: readonly RawPath[];
  readonly empty: readonly RawPath[];
  /** Patterns of ignored files that stood outside the workspace. */
  readonly excludes: string;
}

interface Entry {
  readonly checkpoint: Checkpoint;
  readonly tree: string;
}

/** The checkpoints of a workspace, each in a small file, what a restore needs in another beside it. */
export interface CheckpointBook {
  /** Newest first. */
  list(): readonly Checkpoint[];
  count(): number;
  /** The tree of the newest one. */
  latestTree(): string | undefined;
  add(checkpoint: Checkpoint, captured: Captured): KnownCheckpoint;
  /** The one that has this id, or the only one whose id begins so. Throws a {@link DoomloopError} if there is none. */
  get(id: string): KnownCheckpoint;
  /** Forgets all others. `place` counts from the newest, which is 0. Returns the ids of those that are left. */
  keepOnly(isKept: (checkpoint: Checkpoint, place: number) => boolean): readonly string[];
}

/** The number comes first: the newest is found without reading any. */
const ENTRY = /^(\d{8})-([0-9a-f]{12})\.json$/;
const FACTS = /^\d{8}-[0-9a-f]{12}\.facts$/;
const MIN_ID = 4;

export function openCheckpointBook(folder: string): CheckpointBook {
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
      // Clocks go back at times, this does not.
      const number = Number(names()[0]?.slice(0, 8) ?? 0) + 1;
      const name = `${String(number).padStart(8, "0")}-${checkpoint.id}.json`;
      const entry: Entry = { checkpoint, tree };
      writeSafely(factsPath(name), JSON.stringify({ ...facts, permissions: [...facts.permissions] }));
      writeSafely(join(folder, name), JSON.stringify(entry));
      return { ...entry, facts };
    },
    get(id) {
      const [name, another] = id.length < MIN_ID ? [] : names().filter((each) => each.slice(9).startsWith(id));
      if (name === undefined || another !== undefined) {
        const got = name === undefined ? "" : ", and it begins several";
        throw new DoomloopError("unknown-checkpoint", `restore: the id of a checkpoint is required, got ${id}${got}`);
      }
      const text = readFileSync(factsPath(name), "utf8");
      const facts = JSON.parse(text) as Omit<CheckpointFacts, "permissions"> & { permissions: [RawPath, number][] };
      return { ...read(name), facts: { ...facts, permissions: new Map(facts.permissions) } };
    },
    keepOnly(isKept) {
      for (const [place, name] of names().entries()) {
        if (!isKept(read(name).checkpoint, place)) rmSync(join(folder, name), { force: true });
      }
      const left = new Set(names());
      // Also of those that were forgotten by a process that came no further.
      for (const name of readdirSync(folder).filter((each) => FACTS.test(each))) {
        if (!left.has(name.replace(/facts$/, "json"))) rmSync(join(folder, name), { force: true });
      }
      return [...left].map((name) => name.slice(9, 21));
    },
  };
}

/** What a restore has to know about the workspace at that moment. */
export function factsOf({ permissions, leftOut, excludes }: Captured): CheckpointFacts {
  return { permissions, leftOut: leftOut.paths, empty: leftOut.empty, excludes };
}

/** What a checkpoint tells people about what it does not have. */
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
