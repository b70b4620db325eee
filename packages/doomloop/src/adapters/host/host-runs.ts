import { createGuard, type Guard } from "../../index.ts";
import type { HostAbilities } from "./abilities.ts";
import type { HostOptions } from "./host-options.ts";
import { createHostRun, type HostRun } from "./host-run.ts";
import { reportOnce } from "./report-once.ts";
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

/** Watches nothing: what is left if a guard cannot be made in the middle of a run. */
const ABSENT: Pick<Guard, "observe"> = { observe: () => ({ action: "continue" }) };

/**
 * Makes room for the runs of one host. Throws a `DoomloopError` for options that make no sense; nothing throws after that.
 *
 * At most 1000 runs with a textual key are kept; the one that was used least recently is forgotten.
 */
export function createHostRuns(options: HostOptions, abilities: HostAbilities): HostRuns {
  const { guard: given, onStop: _onStop, onDowngrade: _onDowngrade, ...guardOptions } = options;
  const byText = new Map<string, HostRun>();
  const byObject = new WeakMap<object, HostRun>();
  const reportFault = reportOnce(options.onFault);
  // Options are checked when the adapter is made, not in the middle of a run: the first guard is made at once.
  let first: Guard | undefined = given ?? createGuard(guardOptions);

  const nextGuard = (): Pick<Guard, "observe"> => {
    const guard = given ?? first;
    first = undefined;
    try {
      return guard ?? createGuard(guardOptions);
    } catch (fault) {
      reportFault(fault);
      return ABSENT;
    }
  };

  const start = (run?: string): HostRun => createHostRun({ guard: nextGuard(), abilities, options, run, reportFault });

  const ofText = (key: string): HostRun => {
    const run = byText.get(key) ?? start(key);
    byText.delete(key);
    byText.set(key, run);
    if (byText.size > MAX_RUNS) byText.delete(byText.keys().next().value!);
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
    safely: createSafely(reportFault),
  };
}
