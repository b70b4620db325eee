// The ceilings of what a run remembers. Together they keep a snapshot within 64 KB: `npm run bench:speed` prints its size.

/** Latest steps that are remembered closely. */
export const HISTORY = 24;
/** Outcomes that are known by equality, and steps that may have brought news: as far back as outcomes can be compared. */
export const MAX_SEEN_OUTCOMES = 96;
export const MAX_NEWS = 24;

// Open calls

/** Calls whose results are awaited. The latest of them can be compared with others by more than equality. */
export const MAX_OPEN = 48;
export const COMPARED_OPEN = 24;
/** Refused calls whose results may still come. */
export const MAX_REFUSED = 8;
/** A longer id is kept as its digest. */
export const LONG_ID = 64;

// Pauses

/** Gaps that are remembered. */
export const MAX_GAPS = 15;
/** Gaps that are assumed before anything is known. */
export const PRIOR_GAPS_MS = [5_000, 5_000] as const;
/** A pause is at least this long, and this many times as long as the run takes to think. */
export const SHORTEST_PAUSE_MS = 5_000;
export const PAUSE_TIMES_MEDIAN = 2;

// Lines that were told

/** Marks of two bytes each. */
export const SLOTS = 1024;
/** A piece with fewer letters says nothing by itself. */
export const FEW_LETTERS = 4;
/** A number with no more words around it is a score, a page, an id: it comes and goes. */
export const WORDS_OF_A_SCORE = 1;

// What steps said

/** Texts up to this length are kept whole; of longer ones, the beginning and the end. */
export const WHOLE = 2048;
export const EXCERPT_HEAD = 1024;
export const EXCERPT_TAIL = 512;
/** How much the lengths of two outcomes may differ that say the same in another order. */
export const LENGTH_DIFFERENCE = 0.25;

// The world

/** Measures of the host that are compared, and values of each. */
export const MAX_MEASURES = 16;
export const MAX_VALUES = 4;
/** Edits whose reverse is recognised. */
export const MAX_EDITS = 32;
/** A failure told in fewer characters has nothing else to tell. */
export const SHORT_FAILURE = 300;
/** An act on a page that answers at more length shows what came of it. */
export const PAGE_SHOWN_LENGTH = 80;
