// Every number that was tuned, each with what it was measured on. Levels and worths count plain repeats: the same call with the same telling result is 1.

/** What a repeat is worth whose result says no more than that it went well: `Clicked`, `ok`. An act shows little by itself. */
export const SILENT_ACT = 0.1;
/** A short answer of something that others may change. */
export const SILENT_WATCH = 0.4;
/** A single value, longer than a word. */
export const ONE_VALUE = 0.5;
/** Something that says it is still going on. */
export const PENDING = 0.15;
/** The same thing, asked for in another way; another call with the same outcome; a check that fails in spite of changes. */
export const OTHER_FORM = 2 / 3;
export const ATTEMPT = 1 / 2;
export const STREAK = 1 / 3;
/** What the user's words leave of a repeat. */
export const HINTED = 1 / 2;
/** What a round adds after words, if its repetition alone speaks against it; and a refused call that is made again. */
export const UNCLEAR = 0.35;
export const INSISTED = 2 / 3;

/** Results up to these lengths are a word, a value, a short answer. */
export const ONE_WORD = 20;
export const SHORT = 80;

/** Calls are about one thing if they share this part of their words. */
export const ABOUT_ONE = 0.3;
export const NEARLY = 0.75;

/** Checks with pauses before them, until patience ends; and a pause that keeps a schedule. */
export const MOST_CHECKS = 12;
export const SCHEDULE_MS = 300_000;
