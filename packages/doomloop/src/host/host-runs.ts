import { GUARD_OPTIONS } from "../core/check-options.ts";
import { setRecent } from "../core/collections/bounded.ts";
import { reportOnce } from "../core/faults.ts";
import { DoomloopError } from "../index.ts";
import { warnOnce } from "../warn-once.ts";
import type { HostAbilities } from "./abilities.ts";
import { createGuardMaker } from "./guard-maker.ts";
import type { HostOptions } from "./host-options.ts";
import { createHostRun, type HostRun, type SavedHostRun } from "./host-run.ts";
import { keeperOf } from "./kept-guard.ts";
import { createSafely, type Safely } from "./safely.ts";

/** The runs of one host, each with a guard of its own. */
export interface HostRuns {
  /** A run that nobody else shares: for a wrapper that is made for one run, or a host whose runs the adapter tells apart. */
  start(key?: string): HostRun;
  /** The run with this key (a thread, a session), new or as it was left. Objects are held weakly. */
  of(key: string | object): HostRun;
  /** The run is over. */
  end(key: string | object): void;
  /** A fault of the adapter's own: told to `onFault` once, never thrown. */
  reportFault(fault: unknown): void;
  /** Reads foreign objects and whatever else may go wrong in the adapter: a fault is reported, and the fallback is used. */
  readonly safely: Safely;
}

const MAX_RUNS = 1000;
const SHARED = "guard: one guard watches one run, and it is used for several; pass options, or createGuard, instead";

/**
 * Makes room for the runs of one host. Throws a `DoomloopError` for options that make no sense; nothing throws after that.
 *
 * At most 1000 runs with a textual key are kept; the one that was used least recently is forgotten.
 */
export function createHostRuns(options: HostOptions, abilities: HostAbilities): HostRuns {
  const byText = new Map<string, HostRun>();
  const byObject = new WeakMap<object, HostRun>();
  const reportFault = reportOnce(options.onFault ?? warnOnce);
  const safely = createSafely(reportFault);
  // Guards tell of their faults through the same mouth: the user hears of the first, whosever it is.
  const makeGuard = createGuardMaker({ ...options, onFault: reportFault }, safely);

  const begin = (run?: string, saved?: SavedHostRun): HostRun =>
    createHostRun({ guard: makeGuard(run), abilities, options, run, saved, reportFault });

  /** The run of a guard that was passed in goes on where the last process left it, if somebody keeps it. */
  const beginShared = (): HostRun => {
    const keeper = keeperOf(options.guard);
    const saved = keeper?.saved("run") as SavedHostRun | undefined;
    const run = (saved && safely(undefined, () => begin(undefined, saved))) ?? begin();
    keeper?.keep("run", run.save);
    return run;
  };

  const shared = options.guard === undefined ? undefined : beginShared();
  const unread = Object.keys(options).find(
    (name) => shared !== undefined && name !== "onFault" && name in GUARD_OPTIONS,
  );
  if (unread !== undefined)
    reportFault(new DoomloopError("misuse", `${unread}: it is not read, because guard has its own`));
  // A guard that was passed in is one run, with one end and one store of words. Each key still has an object of its own,
  // because adapters keep by it what they know of one conversation.
  const start = (run?: string): HostRun => (shared === undefined ? begin(run) : { ...shared });

  const ofText = (key: string): HostRun => {
    if (shared !== undefined && byText.size > 0 && !byText.has(key)) reportFault(new DoomloopError("misuse", SHARED));
    const run = byText.get(key) ?? start(key);
    setRecent(byText, key, run, MAX_RUNS);
    return run;
  };

  const ofObject = (key: object): HostRun => {
    const run = byObject.get(key) ?? start();
    byObject.set(key, run);
    return run;
  };

  return {
    start,
    of: (key) => (typeof key === "string" ? ofText(key) : ofObject(key)),
    end(key) {
      if (typeof key === "string") byText.delete(key);
      else byObject.delete(key);
    },
    reportFault,
    safely,
  };
}
