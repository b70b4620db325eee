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
   * Which arguments make two calls the same in substance. `"all"`: all but those that are known not to change what is asked for.
   * `"primary"`: only `path`, `command`, `pattern`, `query`, `url` and the like.
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
   * A call is innocent if the run learns something between two occurrences of it, time after time.
   * @default true
   */
  readonly news?: boolean;
  /**
   * How long waiting and polling may go on without news, after 16 checks. 0: waiting is no excuse.
   * @default 1_800_000
   */
  readonly patienceMs?: number;
  /**
   * Does not count repeats that may have a good reason: acts whose answer does not show their effect, measurements, values that are asked
   * for again. False: all of them count.
   * @default true
   */
  readonly forgives?: boolean;
  /**
   * Whether the host reports results at all. Undefined: the guard finds out, and judges calls alone until the first result.
   * @default undefined
   */
  readonly seesResults?: boolean;
}

/** The options with their defaults. */
export type ResolvedProgress = Required<Omit<ProgressOptions, "comparedCharacters" | "seesResults">> &
  Pick<ProgressOptions, "comparedCharacters" | "seesResults">;

export function resolveProgress(options: ProgressOptions = {}): ResolvedProgress {
  const {
    outcomes = "compare",
    worldChange = true,
    userTurn = true,
    news = true,
    patienceMs = 1_800_000,
    comparedArguments = "all",
    forgives = true,
  } = options;
  return { ...options, outcomes, comparedArguments, worldChange, userTurn, news, patienceMs, forgives };
}
