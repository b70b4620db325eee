/** What counts as progress. A repeat after progress is innocent: it is not counted. */
export interface ProgressOptions {
  /**
   * Whether outcomes are compared. `"ignore"` judges calls alone, as soon as they are made.
   * @default "compare"
   */
  readonly outcomes?: "compare" | "ignore";
  /**
   * Compares only the first characters of an outcome, this many. Undefined: all of it.
   * @default undefined
   */
  readonly comparedCharacters?: number;
  /**
   * Which arguments make two calls the same in substance. `"all"`: all except those that are known not to change what is asked for.
   * `"primary"`: only `path`, `command`, `pattern`, `query`, `url` and the like.
   * @default "all"
   */
  readonly comparedArguments?: "all" | "primary";
  /**
   * A new, successful change (a write, an edit) makes a repeat innocent.
   * @default true
   */
  readonly worldChange?: boolean;
  /**
   * A message from the user makes a repeat innocent.
   * @default true
   */
  readonly userTurn?: boolean;
  /**
   * A repeated call is innocent if the run keeps learning something new between its occurrences.
   * @default true
   */
  readonly news?: boolean;
  /**
   * How long waiting and polling may go on without news, after 16 checks. 0: waiting is no excuse.
   * @default 1_800_000
   */
  readonly patienceMs?: number;
  /**
   * Does not count repeats that may have a good reason: actions whose answer does not show their effect, measurements, values that are read
   * again. False: all of them count.
   * @default true
   */
  readonly forgives?: boolean;
  /**
   * Whether the host reports results at all. Undefined: the guard finds out, and judges calls without results until the first one.
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
