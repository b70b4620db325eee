// The numbers of the judgement, each with its reason. `npm run bench:quality -- --without NAME` measures what a mechanism earns; how many
// repeats are passed over stands in `table.ts`.

// What came before

/** Volatile words change the length of a short output, too: by this many characters at most. */
export const LENGTH_SLACK = 16;
/** Shorter answers may be equal because they are short: two blank pages are two pages. */
export const NOT_JUST_SHORT = 200;
/** Distinct calls that a run remembers, and keys of calls that are the same in substance: they fit into a snapshot of 64 KB. */
export const REMEMBERED_CALLS = 112;
export const REMEMBERED_LIKE = 24;
/** Outcomes that are remembered of one call. A call with more of them brings news. */
export const OUTCOMES_PER_CALL = 3;
/** Indices and reasons that a finding can show. */
export const SHOWN_INDICES = 8;
export const SHOWN_REASONS = 4;
/** Rounds whose results may still come. */
export const OPEN_ROUNDS = 4;

// What an outcome tells

/** Answers up to this length can say no more than that something was done: "ok", `[image]`. */
export const MUTE_LENGTH = 20;
/** Answers up to this length are one value: a count, a state, a name. */
export const READING_LENGTH = 80;
/** An answer of at most this length to something that was said confirms it; the ids in it say nothing. */
export const CONFIRMATION_LENGTH = 200;
/** What others may change proves that nothing happened only if it tells at least this much. */
export const PROVING_LENGTH = 200;
/** Outcomes shorter than this are compared as a whole, not line by line. */
export const LINES_LENGTH = 60;
/** More characters than any lap needs to tell. */
export const TELLS_ALL = 1_000;

// Why a repeat is innocent

/** After this many compactions without anything new in between, looking again is what the run consists of. */
export const MAX_RECALLS = 2;
/** After this many, other findings are no progress either. */
export const MAX_REFILLS = 4;
/** Laps in a row that bring news: one is a digression, two are a way of working. */
export const WORKING_LAPS = 2;
/** Measurements that are allowed to somebody who was asked to measure until something comes out. */
export const UNTIL = 50;

// Waiting: `docs/concepts/time.md`

/** Checks after which an agent that acts again before each of them does not wait. */
export const CHECKS_WITH_ACTS = 2;
/** Checks that waiting may take, however long they last. */
export const TIMED_CHECKS = 16;
/** Checks that may be waiting: at a pace without a breath, at a quiet one, and where nobody knows the time. */
export const HASTY_CHECKS = 9;
export const QUIET_CHECKS = 21;
export const UNTIMED_CHECKS = 13;
/** A quiet pace: the mean time from one check to the next. */
export const QUIET_MS = 2_500;
/** A model whose pace is not known may think for this long. */
export const LONGEST_THOUGHT_MS = 30_000;
/** An agent that comes back after this long keeps a schedule, and may do so for ever. */
export const SCHEDULE_MS = 300_000;
/** A command that sleeps for less lets something settle; it does not wait. */
export const SHORTEST_WAIT_MS = 3_000;
/** What one check counts for where nobody says how long it took. */
export const NOMINAL_MS = 10_000;
/** A tool that answers an act at more length has shown what came of it. */
export const ACT_SHOWN_LENGTH = 60;
/** Calls that took less are not compared with the numbers in their arguments. */
export const SHORTEST_TIMER_MS = 4_000;
/** How far the time that a call took may be from such a number, as a share of it, and in any case. */
export const TIMER_TOLERANCE = 0.15;
export const TIMER_TOLERANCE_MS = 1_000;
/** How many numbers of a call are compared, and in how much of its arguments they are looked for. */
export const TIMER_NUMBERS = 6;
export const TIMER_FIELDS = 16;
export const TIMER_DEPTH = 1;
export const TIMER_TEXT_LENGTH = 400;

// Attempts at one thing

/** Latest steps that show whether an agent works through a list. */
export const LISTED_STEPS = 8;
/** A call of more words asks a question; a word of it that varies names nothing. */
export const NAMING_WORDS = 6;
