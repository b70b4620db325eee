import { DoomloopError } from "./core/doomloop-error.ts";
import { reportOnce } from "./core/faults.ts";
import { createCoreGuard, type Guard } from "./core/guard.ts";
import { digestOf, digestToHex } from "./core/identity/digest.ts";
import type { GuardOptions } from "./core/options.ts";
import type { Snapshot } from "./core/snapshot.ts";
import { withKeeper } from "./host/kept-guard.ts";
import { platform } from "./platform.ts";
import { warnOnce } from "./warn-once.ts";

/** Where guards are kept, and how they are made. */
export interface GuardStoreOptions extends Omit<GuardOptions, "snapshot"> {
  /** Loads what was saved for a run; nothing if nothing was. */
  readonly load: (run: string) => SavedText | PromiseLike<SavedText>;
  /** Saves a text for a run, to be given back as it is. It holds no arguments and no results, unless an adapter has `quote`. */
  readonly save: (run: string, text: string) => unknown;
  /**
   * Makes the guard of each request, for telemetry or a fleet. The options have the snapshot to go on from.
   * @default createGuard
   */
  readonly createGuard?: (options: GuardOptions, run: string) => Guard;
}

type SavedText = string | null | undefined;

/** Keeps guards between the processes that serve the requests of a run. */
export interface GuardStore {
  /**
   * Loads the guard of a run, does what you ask with it, and saves it, if it has observed anything. Gives back what `action` does, and throws
   * only what that throws: if the guard cannot be loaded, the run begins anew, and if it cannot be saved, `onFault` is told.
   */
  use<Value>(run: string, action: (guard: Guard) => Value | PromiseLike<Value>): Promise<Value>;
}

/** A guard at rest, with what adapters keep beside it. */
interface Kept {
  readonly guard: Snapshot;
  readonly parts: Readonly<Record<string, unknown>>;
}

/** The form that this code writes, and the only one that it reads. */
const FORM = "doomloop-guard-1";
const MAX_TEXT = 4_194_304;
const LATE = "guardStore: the guard was used after its request was saved; return or await what you do with it";

/**
 * Keeps guards in a store of yours, for programs that start a process for each request.
 *
 * Throws a `DoomloopError` for options that make no sense; nothing of ours throws after that.
 */
export function guardStore(options: GuardStoreOptions): GuardStore {
  const { load, save, createGuard: create = (own) => createCoreGuard(own, platform), ...given } = options;
  for (const [name, action] of Object.entries({ load, save })) {
    if (typeof action !== "function")
      throw new DoomloopError("invalid-option", `guardStore: ${name} must be a function, got ${typeof action}`);
  }
  createCoreGuard(given, platform);
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
      return createCoreGuard(own, platform);
    }
  };

  return {
    async use(run, action) {
      const isNamed = typeof run === "string" && run !== "";
      if (!isNamed) reportFault(new DoomloopError("misuse", "guardStore: a run needs a name; this one is not kept"));
      const kept = isNamed ? await loadKept(run) : undefined;
      const guard = make(run, kept);
      const parts = new Map<string, () => unknown>();
      let isChanged = false;
      let isOver = false;
      const changing = <Words extends unknown[], Value>(change: (...words: Words) => Value) => {
        return (...words: Words): Value => {
          isChanged = true;
          if (isOver) reportFault(new DoomloopError("misuse", LATE));
          return change(...words);
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

/** A line that says what follows and how to know whether it is whole, and the state. */
function writeKept(guard: Guard, savers: ReadonlyMap<string, () => unknown>): string {
  const parts = Object.fromEntries([...savers].map(([part, save]) => [part, save()]));
  const state = JSON.stringify({ guard: guard.snapshot(), parts } satisfies Kept);
  return `${FORM} ${digestToHex(digestOf(state))}\n${state}`;
}

/** Reads what was saved; throws for a text that is not as it was written. */
function readKept(text: unknown): Kept {
  const [head, state] = typeof text === "string" && text.length <= MAX_TEXT ? text.split("\n") : [];
  if (state === undefined || head !== `${FORM} ${digestToHex(digestOf(state))}`)
    throw new DoomloopError("invalid-snapshot", "guardStore: the text that was saved is required, got something else");
  return JSON.parse(state) as Kept;
}
