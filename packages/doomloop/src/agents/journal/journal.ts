import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { requireInteger } from "../../core/doomloop-error.ts";
import { faultOf, type JournalFault } from "./journal-fault.ts";
import { journalKeys } from "./journal-keys.ts";
import { type JournalPlace, openView } from "./journal-view.ts";
import { makePrivateFolder } from "./private-folder.ts";

export interface JournalOptions {
  /** The folder of all journals. It is made if it is not there, for its owner only. */
  readonly directory: string;
  /** The session's id. What lies on the disk can be read only by who knows it. */
  readonly session: string;
  /**
   * The id of the agent within the session.
   * @default "", the main agent
   */
  readonly agent?: string;
  /**
   * How long an update may wait for others, in milliseconds.
   * @default 700
   */
  readonly budgetMs?: number;
  /**
   * How long a file grows before a new one takes its place, in bytes; a state must fit into one. Journals with different values are
   * different journals.
   * @default 524_288
   */
  readonly generationBytes?: number;
  /**
   * Milliseconds since 1970.
   * @default Date.now
   */
  readonly now?: () => number;
}

/**
 * Makes the next state out of the latest, which is undefined at first and after a week of silence. Without a `state`, nothing is
 * written. It may be called several times, each time with a copy of its own; the last call is the one that counts.
 */
export type Change<State, Result> = (state: State | undefined) => { readonly state?: State; readonly result: Result };

export type Update<Result> =
  | { readonly isKept: true; readonly result: Result }
  | { readonly isKept: false; readonly fault: JournalFault };

export interface Journal<State> {
  /**
   * Changes the state: when it returns a result, the new state is on the disk, and every later update of any process builds on it.
   *
   * Throws what `change` throws and nothing else. If it returns a fault, the state is most likely as it was; where the disk failed behind
   * the write, the new one may have been kept. Survives the end of the process at any point, not of the machine: it does not wait for
   * the disk.
   */
  update<Result>(change: Change<State, Result>): Update<Result>;
}

/** The default. */
export const GENERATION_BYTES = 524_288;
const MAX_PAUSE_MS = 16;

/** Opens the state of one agent in one session, any value that can be cloned, which any number of processes change at the same time. */
export function openJournal<State>(options: JournalOptions): Journal<State> {
  const {
    directory,
    session,
    agent = "",
    budgetMs = 700,
    generationBytes = GENERATION_BYTES,
    now = Date.now,
  } = options;
  requireInteger("openJournal: budgetMs", budgetMs, 0);
  requireInteger("openJournal: generationBytes", generationBytes, 1024, 1 << 30);
  const { name, key } = journalKeys([session, agent, generationBytes]);
  const place: JournalPlace = { folder: join(directory, name), key, generationBytes };

  return {
    update(change) {
      const deadline = performance.now() + budgetMs;
      try {
        for (let attempt = 0; ; attempt++) {
          const outcome = tryUpdate(change);
          if (outcome !== undefined) return outcome;
          if (performance.now() >= deadline)
            return {
              isKept: false,
              fault: { code: "busy", message: `journal: others were first, ${attempt + 1} times` },
            };
          pause(Math.random() * Math.min(2 ** attempt, MAX_PAUSE_MS));
        }
      } catch (error) {
        if (error instanceof ChangeError) throw error.cause;
        return { isKept: false, fault: faultOf(error) };
      }
    },
  };

  /** Undefined if another was first. */
  function tryUpdate<Result>(change: Change<State, Result>): Update<Result> | undefined {
    makePrivateFolder(directory);
    makePrivateFolder(place.folder);
    const view = openView(place, now);
    if (view === undefined) return undefined;
    try {
      const before = view.body && (deserialize(view.body) as State);
      const { state, result } = callChange(change, before);
      const isKept = state === undefined || view.append(serialize(state));
      return isKept ? { isKept, result } : undefined;
    } finally {
      view.close();
    }
  }
}

/** Carries what the caller's function throws past our own faults. */
class ChangeError extends Error {}

function callChange<State, Result>(change: Change<State, Result>, before: State | undefined) {
  try {
    return change(before);
  } catch (cause) {
    throw new ChangeError("journal: change threw", { cause });
  }
}

/** Waits without giving way to anything else: a hook has nothing else to do. */
function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
