const HOUR_MS = 3_600_000;

/** Journals that nobody has written to for so long are removed. */
export const REMOVED_AFTER_MS = 7 * 24 * HOUR_MS;

/** States this old are not given out any more. An hour earlier, so that nobody builds on what is just being removed. */
export const FORGOTTEN_AFTER_MS = REMOVED_AFTER_MS - HOUR_MS;
