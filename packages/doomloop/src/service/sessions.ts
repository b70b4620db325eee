import { lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type HookState, readHookState, saveHookState } from "../agents/hook/hook-state.ts";
import { setRecent } from "../core/collections/bounded.ts";
import { makePrivateFolder, readOwnFile, replaceFile } from "../system/private-files.ts";
import { jsonIn, recordOf } from "../transcripts/foreign-value.ts";

export interface SessionsOptions {
  /** The folder of what hooks keep. */
  readonly state: string;
  now(): number;
  /**
   * How many runs are kept in memory.
   * @default 256
   */
  readonly maxLive?: number;
  /** Called if a run cannot be saved. */
  onFault(fault: unknown): void;
}

/** The runs of all coding agents of a user. */
export type Sessions = ReturnType<typeof createSessions>;

interface Live {
  state: HookState;
  /** When the run was last saved. 0: never. */
  savedAt: number;
}

/** A run at rest. */
interface SavedRun {
  readonly state: unknown;
  /** Nothing happened to the run between this and the end of the process that saved it. */
  readonly isComplete: boolean;
}

/** A run that was told something is saved this often while it goes on. */
const SAVED_EVERY_MS = 3_000;
const KEPT_MS = 7 * 86_400_000;
/** Files of runs, of at most about 100 KB each. */
const MAX_FILES = 1_000;
const MAX_FILE_BYTES = 1_000_000;
const MAX_LIVE = 256;
const TIDY_EVERY_MS = 3_600_000;
const FILE = /^[0-9a-f]{32}\.json$/;

/**
 * Keeps the runs in memory, and on the disk those that were told something: plain files that only the user can read, replaced as a whole.
 * A run that nobody spoke to is forgotten with the process, so a crash makes us count too little, never too much.
 */
export function createSessions({ state, now, maxLive = MAX_LIVE, onFault }: SessionsOptions) {
  const folder = join(state, "sessions");
  const live = new Map<string, Live>();
  const due = new Set<string>();
  // Another process began with another number, so a run that it saved shows a gap here, unless it is complete.
  let missed = now() * 1_000;
  /** By session: how many events of its own were lost. */
  const missedOf = new Map<string, number>();
  let missedCount = 0;
  let tidiedAt = Number.NEGATIVE_INFINITY;

  const fileOf = (run: string): string => join(folder, `${run}.json`);

  const write = (run: string, { state: saved }: Live, isComplete: boolean): void => {
    try {
      makePrivateFolder(folder);
      replaceFile(fileOf(run), JSON.stringify({ state: saveHookState(saved), isComplete } satisfies SavedRun));
    } catch (fault) {
      onFault(fault);
    }
  };

  const load = (run: string): HookState | undefined => {
    const text = readOwnFile(fileOf(run), MAX_FILE_BYTES);
    if (text === undefined) return undefined;
    const { state: saved, isComplete }: Partial<SavedRun> = recordOf(jsonIn(text)) ?? {};
    const read = readHookState(saved);
    if (read === undefined || isComplete !== true) return read;
    // If this process is killed, the file is out of date.
    rmSync(fileOf(run), { force: true });
    return { ...read, missedEvents: missed };
  };

  const forgetOldest = (): void => {
    for (const [run, entry] of live) {
      if (live.size <= maxLive) return;
      if (entry.state.hasSpoken === true) write(run, entry, false);
      live.delete(run);
      due.delete(run);
    }
  };

  const tidy = (): void => {
    if (now() - tidiedAt < TIDY_EVERY_MS) return;
    tidiedAt = now();
    try {
      removeOld(folder, now());
    } catch {
      // There is no such folder yet.
    }
  };

  return {
    get(run: string): HookState | undefined {
      const entry = live.get(run);
      if (entry !== undefined) return entry.state;
      const saved = load(run);
      if (saved !== undefined) live.set(run, { state: saved, savedAt: now() });
      return saved;
    },
    set(run: string, state: HookState): void {
      const { savedAt = 0 } = live.get(run) ?? {};
      live.delete(run);
      live.set(run, { state, savedAt });
      if (state.hasSpoken === true && Math.abs(now() - savedAt) >= SAVED_EVERY_MS) due.add(run);
      forgetOldest();
    },
    /** Saves what has to be saved now. Call it when the agent has its answer. */
    save(): void {
      for (const run of due) {
        const entry = live.get(run);
        if (entry === undefined) continue;
        write(run, entry, false);
        entry.savedAt = now();
      }
      due.clear();
      tidy();
    },
    /** Saves every run, so that another process goes on with all of them. */
    handOver(): void {
      for (const [run, entry] of live) write(run, entry, true);
    },
    /** An event of a session was lost. Undefined: nobody knows whose, so it may be any session's. */
    noteMissed(session: string | undefined): void {
      missedCount++;
      if (session === undefined) {
        missed++;
        return;
      }
      setRecent(missedOf, session, (missedOf.get(session) ?? 0) + 1, maxLive);
    },
    /** What a run was told did not arrive. */
    noteUndelivered(run: string): void {
      const entry = live.get(run);
      if (entry !== undefined) entry.state = { ...entry.state, missedEvents: -1 };
    },
    /** A number that changes whenever an event of the session was lost. */
    missedEvents: (session: string): number => missed + (missedOf.get(session) ?? 0),
    missedCount: () => missedCount,
    get size() {
      return live.size;
    },
  };
}

/** Removes what is older than a week, what is too much, and what killed processes left. */
function removeOld(folder: string, now: number): void {
  const files = readdirSync(folder).map((name) => ({ name, at: lstatSync(join(folder, name)).mtimeMs }));
  const runs = files.filter(({ name }) => FILE.test(name)).sort((one, other) => other.at - one.at);
  const kept = new Set(
    runs
      .filter(({ at }) => now - at < KEPT_MS)
      .slice(0, MAX_FILES)
      .map(({ name }) => name),
  );
  for (const { name } of files) if (!kept.has(name)) rmSync(join(folder, name), { recursive: true, force: true });
}
