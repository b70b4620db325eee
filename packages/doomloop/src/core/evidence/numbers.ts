import type { Effect } from "../progress/read-command.ts";

// The numbers that were tuned, each with its reason. `npm run bench quality` shows what a change does.

// What something is worth, in plain repeats: the same call with the same telling outcome is worth 1. Nothing in between was worth telling apart.

const MOST = 2 / 3;
const HALF = 0.5;
const THIRD = 0.35;
const FIFTH = 0.22;
const TENTH = 0.1;

// Levels: the unit is a plain repeat, the same call with the same telling outcome.

/** So many times the evidence in one topic that is worth words is worth them over several: a second lap. */
export const LAP = 2;
/** What another call adds that brings only what the run knows. */
export const BARREN = 0.8;
/** What a round adds after words if only its repetition speaks against it: an act, a watch, something busy. */
export const UNCLEAR = THIRD;
/** What a call adds that was refused and is made again at once, unless it is clear. */
export const INSISTED = MOST;
/** A wait is this many times as long as it usually was while the call was let through. */
export const LONGER = 1.4;
/** Which insisted call gets through first; the next at twice the distance. */
export const FIRST_PASS = 3;

// Worth of a repeat

/** How much the silence of each shows: what an equal outcome is worth that tells nothing by itself. */
export const SILENCE_SHOWS: Readonly<Record<Effect, number>> = {
  look: 1,
  watch: 0.4,
  act: FIFTH,
  move: FIFTH,
  write: 1,
  say: 1,
  test: TENTH,
  wait: FIFTH,
};

/** An outcome up to this length tells no more than that it is there. */
export const MUTE_LENGTH = 20;
/** Up to this length it is one value: a quarter of it speaks for a loop. */
export const VALUE_LENGTH = 80;
export const VALUE_TELLS = 0.25;
/** Up to this length, an answer to what was said or written only confirms it; longer ones show what they are about. */
export const LONG_ANSWER = 200;
/** A failure of what others may change can end by itself. */
export const WATCHED_FAILURE = HALF;
/** Calls that are the same in substance only. */
export const SUBSTANCE = MOST;
/** What a request for a series leaves of a repeat's worth. */
export const ASKED_FOR = THIRD;

// Waiting

/** What is left of a repeat's worth at a quiet pace, and without a breath. */
export const QUIET = TENTH;
export const HASTY = FIFTH;
/** The mean time from one check to the next that is a quiet pace. */
export const QUIET_MS = 2_500;
/** How long an agent may wait with pauses, where the host does not say. */
export const PATIENCE_MS = 1_800_000;
/** Checks of an agent that pauses before each of them, until patience ends. */
export const MOST_TIMED = 12;
/** A check that comes back after this long keeps a schedule. */
export const SCHEDULE_MS = 300_000;
/** A sleep of less lets something settle. */
export const SHORTEST_WAIT_MS = 3_000;
/** A call that takes this long to come back has waited for something. */
export const LONG_CALL_MS = 20_000;
/** A pause is this long, and this many times as long as the run takes to think. */
export const SHORTEST_PAUSE_MS = 5_000;
export const PAUSE_TIMES_MEDIAN = 2;

// A second opinion

/** Somebody may be asked on a hunch after so many calls, if so many of the latest outcomes were met before. */
export const FIRST_HUNCH = 7;
export const LATEST_OUTCOMES = 5;
export const FEWEST_KNOWN = 3;
/** Calls from one question to the next, at first and at most: twice as many after every "working". */
export const QUESTIONS_APART = 8;
export const MOST_APART = 64;
/** A run is monotonous if so many of its latest calls are about what one of the few before was about. */
export const MONOTONE_OF = 12;
export const MONOTONE = 10;
/** Calls since the user spoke after which a monotonous run is asked about if nobody was asked before; again after twice as many. */
export const FIRST_PATROL = 20;
/** How often a topic is left alone because it is called work: a judge may be fooled. */
export const BELIEVED = 2;

// Different calls, one outcome

/** Worth of an attempt: of five the fifth is told, of failures that a flag tells the fourth. */
export const ATTEMPT = HALF;
export const TOLD_ATTEMPT = MOST;
/** Worth of a failure of one tool in its own way. */
export const FAILURE = THIRD;
/** Worth of a check that fails as before in spite of changes. */
export const FAILED_CHECK = HALF;
/** Worth of one thing said in other words. */
export const SAYING = HALF;
/** A short answer is a no once so many calls got it, and so many different ones. */
export const NO_TIMES = 4;
export const NO_CALLS = 2;
/** Before the tool has said anything else, so many of them must have been made again. */
export const NO_REPEATS = 2;
/** Items that fail, and that nobody named, are taken for a list only this long. */
export const LONG_LIST = 16;
/** How alike calls about one thing are by their words. */
export const ABOUT_ONE = 0.3;
/** How alike calls are that are nearly the same, and what share of calls has a word that belongs to the work. */
export const NEARLY = 0.75;
/** The share of new words, on average, in one thing said in other words. */
export const NEW_WORDS = 0.25;
/** In an outcome that brings nothing new, at most one in so many pieces is new. */
export const PIECES_PER_NEW_ONE = 6;
/** An outcome of fewer pieces is the same, or new, as a whole or not at all. */
export const FEW_PIECES = 3;
