import { DoomloopError, requireInteger } from "../doomloop-error.ts";
import { DEFAULT_PATIENCE_MS } from "./patience.ts";

/** What counts as progress, and so makes a repeat innocent. */
export interface ProgressOptions {
  /**
   * Whether outcomes are compared. `"ignore"` judges calls alone, as soon as they are made.
   * @default "compare"
   */
  readonly outcomes?: "compare" | "ignore";
  /**
   * Compares only this many first characters of an outcome. Undefined: all of it.
   * @default undefined
   */
  readonly comparedCharacters?: number;
  /**
   * A new, successful change of the world makes a repeat innocent.
   * @default true
   */
  readonly worldChange?: boolean;
  /**
   * The user speaking makes a repeat innocent.
   * @default true
   */
  readonly userTurn?: boolean;
  /**
   * A step that succeeded and is made again after more new steps than this was worth a second look. False: never.
   * @default 2
   */
  readonly digression?: number | false;
  /**
   * How long waiting and polling may go on without news.
   * @default 900_000
   */
  readonly patienceMs?: number;
  /**
   * Whether the host reports results at all. Undefined: found out, and calls are judged alone until the first result.
   * @default undefined
   */
  readonly seesResults?: boolean;
}

/** The options with their defaults, checked. */
export type ResolvedProgress = Required<Omit<ProgressOptions, "comparedCharacters" | "seesResults">> &
  Pick<ProgressOptions, "comparedCharacters" | "seesResults">;

export function resolveProgress(options: ProgressOptions = {}): ResolvedProgress {
  const {
    outcomes = "compare",
    worldChange = true,
    userTurn = true,
    digression = 2,
    patienceMs = DEFAULT_PATIENCE_MS,
  } = options;
  if (outcomes !== "compare" && outcomes !== "ignore") {
    throw new DoomloopError(
      "invalid-option",
      `progress.outcomes: "compare" or "ignore" is required, got ${String(outcomes)}`,
    );
  }
  if (digression !== false) requireInteger("progress.digression", digression, 0);
  if (options.comparedCharacters !== undefined)
    requireInteger("progress.comparedCharacters", options.comparedCharacters, 1);
  requireInteger("progress.patienceMs", patienceMs, 0);
  return { ...options, outcomes, worldChange, userTurn, digression, patienceMs };
}
