import { type DetectorKind, detectors } from "../../core/detectors/index.ts";
import type { GuardOptions } from "../../core/options.ts";
import type { ProgressOptions } from "../../core/progress/progress-options.ts";
import type { ToolRule } from "../../core/tool-rule.ts";

/** What a value must be for JSON to say it; the core checks the rest. */
export type ValueKind =
  | "text"
  | "flag"
  | "number"
  | "number or false"
  | "list"
  | "numbers"
  | "object"
  | "object or false"
  | "flag or object";

export type KnownKeys<Keys extends string = string> = Readonly<Record<Keys, ValueKind>>;

/** Options that are functions, or belong to one run, cannot stand in a file. */
type NotInFile = "onDecision" | "onFault" | "fleet" | "snapshot";

export const GUARD_KEYS: KnownKeys<Exclude<keyof GuardOptions, NotInFile>> = {
  preset: "text",
  detectors: "object",
  progress: "object",
  ladder: "list",
  ladderScope: "text",
  beyondNudge: "text",
  ladderDescends: "flag",
  ladderCounts: "numbers",
  ladderPace: "object or false",
  endUncertainAfter: "number",
  priority: "list",
  tools: "object",
  attended: "flag",
};

export const PROGRESS_KEYS: KnownKeys<keyof ProgressOptions> = {
  outcomes: "text",
  comparedCharacters: "number",
  comparedArguments: "text",
  worldChange: "flag",
  userTurn: "flag",
  news: "flag",
  patienceMs: "number",
  forgives: "flag",
  seesResults: "flag",
};

export const TOOL_KEYS: KnownKeys<keyof ToolRule> = {
  ignore: "flag",
  poll: "flag or object",
  repeat: "text",
  changes: "flag",
  threshold: "number",
  identity: "list",
};

/**
 * The options that a detector has: those that it reads when it is made.
 *
 * Asked of the detector itself, so that a new one need not be named here.
 */
export function detectorKeys(kind: DetectorKind): readonly string[] {
  const read = new Set<string>();
  const options = new Proxy(
    {},
    {
      get(_, key) {
        if (typeof key === "string") read.add(key);
        return undefined;
      },
    },
  );
  detectors[kind](options);
  return [...read];
}
