import { checkNames, checkOptions, GUARD_OPTIONS } from "../../core/check-options.ts";
import type { GuardOptions } from "../../core/options.ts";
import { UsageError } from "../../system/usage-error.ts";

/** Functions, and what belongs to one run, cannot stand in a file. */
const NOT_IN_FILE = [
  "messages",
  "onDecision",
  "onFault",
  "fleet",
  "snapshot",
] as const satisfies (keyof GuardOptions)[];

/** The options that can stand in a file. */
export const FILE_OPTIONS: readonly string[] = Object.keys(GUARD_OPTIONS).filter(
  (name) => !(NOT_IN_FILE as readonly string[]).includes(name),
);

/** Checks that a value from a file has the form of options for a guard; throws a `UsageError` if not. */
export function checkConfig(value: unknown): GuardOptions {
  try {
    checkOptions(value);
    checkNames("", Object.keys(value), FILE_OPTIONS);
    return value;
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
}
