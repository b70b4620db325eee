import { DoomloopError } from "./core/doomloop-error.ts";
import { reportOnce } from "./core/faults.ts";
import { digestOf, digestToHex } from "./core/identity/digest.ts";
import type { Snapshot } from "./core/snapshot.ts";
import { createGuardOn, type GuardOptions } from "./create-guard.ts";
import { type Guard, withCall } from "./guarded-call.ts";
import { withKeeper } from "./host/kept-guard.ts";
import { platform } from "./platform.ts";
import { warnOnce } from "./warn-once.ts";

/** Where guards are saved, and how they are created. */
export interface GuardStoreOptions extends Omit<GuardOptions, "snapshot"> {
  /** Loads the text that was saved for a run; `undefined` or `null` if there is none. */
  readonly load: (run: string) => SavedText | PromiseLike<SavedText>;
  /** Saves a text for a run. `load` must return it unchanged. It contains no arguments and no results, unless an adapter uses `quote`. */
  readonly save: (run: string, text: string) => unknown;
  /**
   * Creates the guard of each request, for telemetry or a fleet. The options contain the snapshot to resume from.
   * @default createGuard
   */
  readonly createGuard?: (options: GuardOptions, run: string) => Guard;
}

type SavedText = string | null | undefined;

/** Passes guards between the processes that serve the requests of one run. */
export interface GuardStore {
  /**
   * Loads the guard of a run, passes it to `action`, and saves it if it has observed anything. Returns what `action` returns, and throws
   * only what `action` throws. If the guard cannot be loaded, the run starts fresh. If it cannot be saved, `onFault` is called.
   */
  use<Value>(run: string, action: (guard: Guard) => Value | PromiseLike<Value>): Promise<Value>;
}

/** A saved guard, with what adapters save besides it. */
interface Kept {
  readonly guard: Snapshot;
  readonly parts: Readonly<Record<string, unknown>>;
}

/** The format that this code writes, and the only one that it reads. */
const FORMAT = "doomloop-guard-1";
const MAX_TEXT = 4_194_304;
const LATE = "guardStore: the guard was used after its request was saved; return or await what you do with it";

/**
 * Keeps guards in your own store, for programs that start a process for each request.
 *
 * Throws a `DoomloopError` for invalid options; nothing of ours throws after that.
 */
export function guardStore(options: GuardStoreOptions): GuardStore {
  const { load, save, createGuard: create = (own) => withCall(createGuardOn(own, platform)), ...given } = options;
  for (const [name, action] of Object.entries({ load, save })) {
    if (typeof action !== "function")
      throw new DoomloopError("invalid-option", `guardStore: ${name} must be a function, got ${typeof action}`);
  }
  createGuardOn(given, platform);
  const reportFault = reportOnce(options.onFault ?? warnOnce);

  const loadKept = async (run: string): Promise<Kept | undefined> => {
    try {
      const text = await load(run);
      return text === undefined || text === null || text === "" ? undefined : readKept(text);
    } catch (fault) {
      reportFault(fault);
      return undefined;
    }
  };

  const make = (run: string, kept: Kept | undefined): Guard => {
    const own = { ...given, onFault: reportFault, ...(kept && { snapshot: kept.guard }) };
    try {
      return create(own, run);
    } catch (fault) {
      reportFault(fault);
      return withCall(createGuardOn(own, platform));
    }
  };

  return {
    async use(run, action) {
      const isNamed = typeof run === "string" && run !== "";
      if (!isNamed) reportFault(new DoomloopError("misuse", "guardStore: a run needs a name; this run is not saved"));
      const kept = isNamed ? await loadKept(run) : undefined;
      const guard = make(run, kept);
      const parts = new Map<string, () => unknown>();
      let isChanged = false;
      let isOver = false;
      const changing = <Arguments extends unknown[], Value>(change: (...given: Arguments) => Value) => {
        return (...given: Arguments): Value => {
          isChanged = true;
          if (isOver) reportFault(new DoomloopError("misuse", LATE));
          return change(...given);
        };
      };
      const watched: Guard = {
        ...guard,
        observe: changing(guard.observe),
        allow: changing(guard.allow),
        reset: changing(guard.reset),
      };
      const keeper = {
        saved: (part: string) => kept?.parts[part],
        keep: (part: string, savePart: () => unknown) => void parts.set(part, savePart),
      };
      try {
        return await action(withKeeper(watched, keeper));
      } finally {
        isOver = true;
        try {
          if (isChanged && isNamed) await save(run, writeKept(guard, parts));
        } catch (fault) {
          reportFault(fault);
        }
      }
    },
  };
}

/** The first line has the format and a digest, by which a damaged text is recognised. The second line is the state. */
function writeKept(guard: Guard, savers: ReadonlyMap<string, () => unknown>): string {
  const parts = Object.fromEntries([...savers].map(([part, save]) => [part, save()]));
  const state = JSON.stringify({ guard: guard.snapshot(), parts } satisfies Kept);
  return `${FORMAT} ${digestToHex(digestOf(state))}\n${state}`;
}

/** Reads a saved text. Throws if it has changed since it was written. */
function readKept(text: unknown): Kept {
  const [head, state] = typeof text === "string" && text.length <= MAX_TEXT ? text.split("\n") : [];
  if (state === undefined || head !== `${FORMAT} ${digestToHex(digestOf(state))}`)
    throw new DoomloopError("invalid-snapshot", "guardStore: the saved text is required, got something else");
  return JSON.parse(state) as Kept;
}
