import type { DetectorOptions, GuardOptions, ProgressOptions } from "doomloop";

/** Every detector switched off: a profile names the ones that its document knows. */
const NO_DETECTORS: DetectorOptions = {
  "call-cycle": false,
  "repeated-call": false,
  "similar-call": false,
  "same-outcome": false,
  "test-fix": false,
  "failure-streak": false,
  stalled: false,
  "repeated-text": false,
  "text-only": false,
};

/** Judges calls as they are made, whatever comes back, whoever speaks and however long is waited in between. */
const CALLS_ALONE: ProgressOptions = {
  outcomes: "ignore",
  worldChange: false,
  userTurn: false,
  news: false,
  patienceMs: 0,
  forgives: false,
};

/**
 * Document 000: a call that follows itself, two calls in turn, three calls in turn.
 *
 * Each pattern is warned of, warned of more strongly, and then ends the run.
 */
export const cyclesAndEscalation: GuardOptions = {
  progress: CALLS_ALONE,
  detectors: {
    ...NO_DETECTORS,
    "repeated-call": { blindThreshold: 2, fuzzyThreshold: false, consecutive: true },
    "call-cycle": { minPeriod: 2, maxPeriod: 3, laps: 2, beyond: 0, blindLaps: 2 },
  },
  ladder: ["nudge", "nudge", "stop"],
  ladderPace: false,
  ladderDescends: false,
  beyondNudge: "any",
};

/**
 * Document 001: three equal calls in a row, or four that are the same in substance. Words grow sharper with the count,
 * then calls are refused; the run is never ended. Failing tests, failing commands and talk without action are seen too.
 *
 * How many of those it takes, the document leaves open: three.
 */
export const fingerprintsAndNudges: GuardOptions = {
  progress: { ...CALLS_ALONE, comparedArguments: "primary" },
  detectors: {
    ...NO_DETECTORS,
    "repeated-call": { blindThreshold: 3, fuzzyThreshold: 4, looseThreshold: 4, consecutive: true, window: 10 },
    "test-fix": { threshold: 3, anyFailure: true },
    "failure-streak": { threshold: 3 },
    "text-only": { threshold: 3, repeatThreshold: 3 },
  },
  ladder: ["nudge", "nudge", "nudge", "block"],
  beyondNudge: "any",
  ladderCounts: [3, 4, 6, 7],
};

/** Document 002: the same call three times among the last twenty, counted before it runs, ends the run. */
export const callWindow: GuardOptions = {
  progress: CALLS_ALONE,
  detectors: { ...NO_DETECTORS, "repeated-call": { blindThreshold: 3, fuzzyThreshold: false, window: 20 } },
  ladder: ["stop"],
  ladderPace: false,
  beyondNudge: "any",
};

/** What the configurations of document 003 have in common: one ladder for the whole run, duplicates before patterns. */
const GRADUATED: GuardOptions = {
  progress: CALLS_ALONE,
  ladderScope: "run",
  ladderPace: false,
  ladderDescends: false,
  beyondNudge: "any",
  priority: ["repeated-call", "call-cycle"],
};

/**
 * Document 003, as it is by default: a call with two equals among the ten before it, or two laps of two to five calls;
 * two warnings, then the end.
 *
 * The document's window holds the calls before the one that is asked about, ours that one too: ten there are eleven here.
 */
export const balanced: GuardOptions = {
  ...GRADUATED,
  detectors: {
    ...NO_DETECTORS,
    "repeated-call": { blindThreshold: 3, fuzzyThreshold: false, window: 11 },
    "call-cycle": { minPeriod: 2, maxPeriod: 5, laps: 2, beyond: 0, blindLaps: 2 },
  },
  ladder: ["nudge", "nudge", "stop"],
};

/** Document 003 for few false alarms: four equals among fifteen, or three laps of three to five calls; three warnings. */
export const conservative: GuardOptions = {
  ...GRADUATED,
  detectors: {
    ...NO_DETECTORS,
    "repeated-call": { blindThreshold: 5, fuzzyThreshold: false, window: 16 },
    "call-cycle": { minPeriod: 3, maxPeriod: 5, laps: 3, beyond: 0, blindLaps: 3 },
  },
  ladder: ["nudge", "nudge", "nudge", "stop"],
};

/** Document 003 for catching loops early: one equal among ten, or two laps of two to four calls; one warning. */
export const aggressive: GuardOptions = {
  ...GRADUATED,
  detectors: {
    ...NO_DETECTORS,
    "repeated-call": { blindThreshold: 2, fuzzyThreshold: false, window: 11 },
    "call-cycle": { minPeriod: 2, maxPeriod: 4, laps: 2, beyond: 0, blindLaps: 2 },
  },
  ladder: ["nudge", "stop"],
};

/**
 * Document 004: five equal calls among the last twenty, whose results are equal in their first 500 characters, start the
 * run over. Thinking, finishing and starting over themselves are not looked at.
 */
export const startOver: GuardOptions = {
  progress: {
    comparedCharacters: 500,
    worldChange: false,
    userTurn: false,
    news: false,
    patienceMs: 0,
    forgives: false,
  },
  detectors: {
    ...NO_DETECTORS,
    "repeated-call": { threshold: 5, looseThreshold: 5, fuzzyThreshold: false, window: 20 },
  },
  ladder: ["restart"],
  ladderPace: false,
  beyondNudge: "any",
  tools: { sequential_thinking: { ignore: true }, complete: { ignore: true }, start_over: { ignore: true } },
};
