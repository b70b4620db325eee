import { checkNames, GUARD_OPTIONS } from "../core/check-options.ts";
import { createGuard, DoomloopError, type Guard, type GuardOptions } from "../index.ts";
import type { HostOptions } from "./host-options.ts";
import type { Safely } from "./safely.ts";

type RunGuard = Pick<Guard, "observe"> & Partial<Pick<Guard, "peek">>;

/** Makes the guard of a run, by the host's key of it. */
export type GuardMaker = (run: string | undefined) => RunGuard;

/** What hosts have besides the options of a guard. */
const HOST_OPTIONS: Readonly<Record<Exclude<keyof HostOptions, keyof GuardOptions>, true>> = {
  guard: true,
  createGuard: true,
  onStop: true,
  onDowngrade: true,
  quote: true,
  deliver: true,
  state: true,
  compactions: true,
};
const KNOWN: readonly string[] = [...Object.keys(GUARD_OPTIONS), ...Object.keys(HOST_OPTIONS)];

/** Watches nothing: what is left if a guard cannot be made. */
const ABSENT: RunGuard = { observe: () => ({ action: "continue" }) };

/** Prepares the making of guards. Throws a `DoomloopError` for options that make no sense: now, not in the middle of a run. */
export function createGuardMaker(options: HostOptions, safely: Safely): GuardMaker {
  const { guard, createGuard: create = createGuard } = options;
  const own: GuardOptions = Object.fromEntries(Object.entries(options).filter(([name]) => !(name in HOST_OPTIONS)));
  checkNames("", Object.keys(options), KNOWN);
  if (guard !== undefined) {
    const own = requireGuard("guard", guard);
    return () => own;
  }
  // A snapshot that cannot be read is a fault of the run that goes on from it, and is told there.
  const { snapshot: _snapshot, ...checked } = own;
  createGuard(checked);
  return (run) => lazily(() => safely(ABSENT, () => requireGuard("createGuard", create(own, run))));
}

/** A guard is made when something happens: what is wired and never used is no run, and nobody counts it as one. */
function lazily(make: () => RunGuard): RunGuard {
  let guard: RunGuard | undefined;
  return {
    observe(event) {
      guard ??= make();
      return guard.observe(event);
    },
    peek: (event) => guard?.peek?.(event) ?? { action: "continue" },
  };
}

function requireGuard(where: string, guard: Guard | undefined): RunGuard {
  if (typeof guard?.observe === "function") return guard;
  throw new DoomloopError("invalid-option", `${where}: a guard is required, got ${typeof guard}`);
}
