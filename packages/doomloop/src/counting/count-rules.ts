import {
  checkFields,
  either,
  integer,
  numbers,
  object,
  oneOf,
  requireFields,
  type Schema,
} from "../checks/check-options.ts";
import type { Rung } from "../core/answer.ts";
import { DoomloopError } from "../core/doomloop-error.ts";

interface CycleRule {
  readonly shortest: number;
  readonly longest: number;
  readonly laps: number;
}

/**
 * What makes a loop, as plain counts. What you leave out is not counted.
 *
 * Nothing excuses a repeat: not a change in between, not a pause, not a message of the user.
 */
export interface CountRules {
  /** How many equal calls make a loop. `rules[name].threshold` overrides it for one tool. */
  readonly repeats?: number | undefined;
  /**
   * How many of the latest calls are looked at, the current one included. `"row"`: only calls that follow each other count.
   * @default 20
   */
  readonly within?: number | "row" | undefined;
  /** Another number of equal calls, once the run has made so many calls. */
  readonly later?: { readonly afterCalls: number; readonly repeats: number } | undefined;
  /**
   * How many similar calls make a loop: those that agree in what they ask for (`path`, `command`, `pattern`, `query`, `url`, `content` ...),
   * whatever their other arguments. `cat`, `head` and `tail` of one file are similar.
   */
  readonly similar?: number | undefined;
  /**
   * Which cycles make a loop: how many calls a lap has at least and at most, and how many laps it takes.
   * @default { shortest: 2, longest: 5, laps: 2 } for what you leave out of it
   */
  readonly cycles?: Partial<CycleRule> | undefined;
  /**
   * `"ignore"`: calls are counted when they are made, whatever comes of them. `"compare"`: calls are counted with their results, and are
   * equal only if these are.
   * @default "ignore"
   */
  readonly outcomes?: "ignore" | "compare" | undefined;
  /**
   * How many characters of a result are compared.
   * @default 500
   */
  readonly comparedCharacters?: number | undefined;
  /** How many failing test runs in a row make a loop. */
  readonly failingTests?: number | undefined;
  /** How many failing shell commands in a row make a loop. */
  readonly failingCommands?: number | undefined;
  /** How many answers in a row without a call make a loop. */
  readonly answersWithoutCalls?: number | undefined;
  /**
   * How the actions in `ladder` follow each other: one further each time this loop is seen (`"loop"`), one further each time any loop is
   * seen (`"run"`), or by count, with one number for each action: `[3, 4, 6, 7]`. The last action repeats.
   * @default "loop"
   */
  readonly escalates?: "loop" | "run" | readonly number[] | undefined;
}

/** The rules with their defaults. */
export interface ResolvedCounts extends CountRules {
  readonly within: number | "row";
  readonly cycles: CycleRule | undefined;
  readonly outcomes: "ignore" | "compare";
  readonly comparedCharacters: number;
  readonly escalates: "loop" | "run" | readonly number[];
  /** How many calls are remembered. */
  readonly remembered: number;
}

const COUNTED = ["repeats", "similar", "cycles", "failingTests", "failingCommands", "answersWithoutCalls"] as const;
const WITHIN = 20;
/** The longest window, and the longest cycle. */
const MAX_WITHIN = 100;
/** For a row, so many steps are named in a finding. */
const SHOWN_IN_ROW = 10;

const COUNT_OPTIONS: Schema<keyof CountRules> = {
  repeats: integer(2),
  within: either(integer(2, MAX_WITHIN), oneOf("row")),
  later: object({ afterCalls: integer(1), repeats: integer(2) }),
  similar: integer(2),
  cycles: object({ shortest: integer(2), longest: integer(2, MAX_WITHIN / 2), laps: integer(2) }),
  outcomes: oneOf("ignore", "compare"),
  comparedCharacters: integer(1),
  failingTests: integer(2),
  failingCommands: integer(2),
  answersWithoutCalls: integer(2),
  escalates: either(oneOf("loop", "run"), numbers),
};

/** Throws for unknown rules, and for values of the wrong kind. */
export function checkCounts(rules: CountRules): void {
  checkFields("counts.", requireFields("counts", rules), COUNT_OPTIONS);
}

/** Completes the rules; throws for those that contradict each other or the ladder. */
export function resolveCounts(rules: CountRules, ladder: readonly Rung[]): ResolvedCounts {
  const { within = WITHIN, later, outcomes = "ignore", comparedCharacters = 500, escalates = "loop" } = rules;
  const cycles = rules.cycles && { shortest: 2, longest: 5, laps: 2, ...rules.cycles };
  const most = within === "row" ? Number.POSITIVE_INFINITY : within;
  if (COUNTED.every((name) => rules[name] === undefined))
    refuse(`counts: one of ${COUNTED.join(", ")} is required, got none`);
  for (const name of ["repeats", "similar"] as const)
    if ((rules[name] ?? 0) > most) refuse(`counts.${name}: at most ${within} (within) is required, got ${rules[name]}`);
  if (later !== undefined && rules.repeats === undefined) refuse("counts.later: repeats is required, got none");
  if (cycles !== undefined && cycles.longest < cycles.shortest)
    refuse(`counts.cycles.longest: at least ${cycles.shortest} (shortest) is required, got ${cycles.longest}`);
  if (typeof escalates !== "string") checkEscalation(escalates, ladder);
  const remembered = Math.max(within === "row" ? SHOWN_IN_ROW : within, (cycles?.longest ?? 0) * (cycles?.laps ?? 0));
  return {
    ...rules,
    within,
    cycles,
    outcomes,
    comparedCharacters,
    escalates,
    remembered: Math.min(remembered, MAX_WITHIN),
  };
}

function checkEscalation(counts: readonly number[], { length }: readonly Rung[]): void {
  const isRising = counts.every((count, at) => count > (counts[at - 1] ?? 0));
  const what = `${length} rising numbers are required, one for each action in ladder`;
  if (counts.length !== length || !isRising) refuse(`counts.escalates: ${what}, got ${counts.join(", ")}`);
}

function refuse(message: string): never {
  throw new DoomloopError("invalid-option", message);
}
