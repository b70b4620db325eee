// The numbers of the detectors, each with its reason. Thresholds are options, and stand with their detector and in `policy/presets.ts`.

/** Calls without any result after which a run is taken for one that shows none. */
export const BLIND_AFTER = 8;

// call-cycle

/** The longest lap that is looked for, in steps, and the laps of it that fit into the trail. */
export const MAX_PERIOD = 24;
export const MAX_LAPS = 3;
/** Steps in the trail: three of the longest laps, and one lap beyond. */
export const TRAIL_LENGTH = 96;
/** Steps that a finding shows. */
export const MAX_CYCLE_STEPS = 32;
/** Laps more that it takes if a lap shows nothing of what came of it. */
export const MUTE_LAPS = 8;
/** Laps more that it takes if a short lap tells no more than one value, and what one value is. */
export const CURT_LAPS = 1;
export const CURT_LAP_LENGTH = 80;
export const SHORT_PERIOD = 3;

// repeated-call

/** Occurrences whose place is remembered: a window cannot count more. It is `SHOWN_INDICES` of the judgement. */
export const MAX_WINDOWED = 8;

// similar-call

/** Failing calls are compared less strictly: they share that they fail. */
export const FAILING_SIMILARITY = 0.5;

// same-outcome

/** A page of at least this length says something. */
export const MIN_PAGE_LENGTH = 40;

// failure-streak

/** Items of a list that must all fail before it is worth a word. */
export const LONG_LIST = 12;
/** A streak of failures of several tools must be this many times longer. */
export const ACROSS_TOOLS = 1.5;

// test-fix

/** In a failure that is the same, at most one in this many lines is new. */
export const LINES_PER_NEW_FAILURE_LINE = 4;
/** Checks that are remembered, and indices of each. */
export const MAX_CHECKS = 16;
export const MAX_CHECK_INDICES = 8;

// stalled

/** Attempts that must differ: equal calls belong to another detector. */
export const MIN_DIFFERENT = 3;
/** Shorter answers are the same because they are short: yes, ok, 35. */
export const MORE_THAN_A_WORD = 16;
/** Pieces that an answer must have to be judged by them. */
export const MIN_PIECES = 3;
/** In an answer that brings nothing new, at most one in this many pieces is new: what it repeats of the question. */
export const PIECES_PER_NEW_PIECE = 6;
/** Longer answers are worth asking for. */
export const CONFIRMING_LENGTH = 200;
/** How similar two commands must be that show the same. */
export const ALIKE_COMMANDS = 0.5;
