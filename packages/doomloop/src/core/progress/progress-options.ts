import { DoomloopError, requireInteger } from "../doomloop-error.ts";

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
   * Which arguments make two calls the same in substance: all but those that are known not to change what is asked for, or only `path`,
   * `command`, `pattern`, `query`, `url` and the like.
   * @default "all"
   */
  readonly comparedArguments?: "all" | "primary";
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
   * What the run learns between two occurrences of a call, time after time, makes them innocent.
   * @default true
   */
  readonly news?: boolean;
  /**
   * How long waiting and polling may go on without news, once that took 16 looks. 0: waiting is no excuse.
   * @default 1_800_000
   */
  readonly patienceMs?: number;
  /**
   * Passes over repeats that may have a good reason: acts whose answer does not show what came of them, measurements, values that are asked for
   * again. False: all of them count.
   * @default true
   */
  readonly forgives?: boolean;
  /**
   * Whether the host reports results at all. Undefined: found out, and calls are judged alone until the first result.
   * @default undefined
   */
  readonly seesResults?: boolean;
}

/** How long waiting may go on without news before it counts as repetition. */
const PATIENCE_MS = 1_800_000;

/** The options with their defaults, checked. */
export type ResolvedProgress = Required<Omit<ProgressOptions, "comparedCharacters" | "seesResults">> &
  Pick<ProgressOptions, "comparedCharacters" | "seesResults">;

export function resolveProgress(options: ProgressOptions = {}): ResolvedProgress {
  const {
    outcomes = "compare",
    worldChange = true,
    userTurn = true,
    news = true,
    patienceMs = PATIENCE_MS,
    comparedArguments = "all",
    forgives = true,
  } = options;
  if (outcomes !== "compare" && outcomes !== "ignore") {
    throw new DoomloopError(
      "invalid-option",
      `progress.outcomes: "compare" or "ignore" is required, got ${String(outcomes)}`,
    );
  }
  if (comparedArguments !== "all" && comparedArguments !== "primary") {
    throw new DoomloopError(
      "invalid-option",
      `progress.comparedArguments: "all" or "primary" is required, got ${String(comparedArguments)}`,
    );
  }
  if (options.comparedCharacters !== undefined)
    requireInteger("progress.comparedCharacters", options.comparedCharacters, 1);
  requireInteger("progress.patienceMs", patienceMs, 0);
  return { ...options, outcomes, comparedArguments, worldChange, userTurn, news, patienceMs, forgives };
}
