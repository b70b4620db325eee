import type { CountRules } from "doomloop/counting";
import type { GuardConfig } from "../builders.ts";

/** The options of a profile that counts. */
export type CountingProfile = GuardConfig & { readonly counts: CountRules };

/**
 * Document 000: a call that follows itself, two calls in turn, three calls in turn.
 *
 * Each pattern is warned of, warned of more strongly, and then ends the run.
 */
export const cyclesAndEscalation: CountingProfile = {
  counts: { repeats: 2, within: "row", cycles: { longest: 3 } },
  ladder: ["nudge", "nudge", "stop"],
};

/**
 * Document 001: three equal calls in a row, or four similar ones. Words grow sharper with the count, then calls are refused; the run is
 * never ended. Failing tests, failing commands and talk without action are seen, too.
 *
 * The document leaves open how many of those it takes: three.
 */
export const fingerprintsAndNudges: CountingProfile = {
  counts: {
    repeats: 3,
    similar: 4,
    within: "row",
    failingTests: 3,
    failingCommands: 3,
    answersWithoutCalls: 3,
    escalates: [3, 4, 6, 7],
  },
  ladder: ["nudge", "nudge", "nudge", "block"],
};

/** Document 002: the same call three times among the last twenty, counted before it runs, ends the run. */
export const callWindow: CountingProfile = { counts: { repeats: 3, within: 20 }, ladder: ["stop"] };

/**
 * Document 003, as it is by default: a call with two equals among the ten before it, or two laps of two to five calls; two warnings, then
 * the end. One count of detections for the whole run.
 *
 * The document's window holds the calls before the one that is asked about, ours that one, too: ten there are eleven here.
 */
export const balanced: CountingProfile = {
  counts: { repeats: 3, within: 11, cycles: { shortest: 2, longest: 5, laps: 2 }, escalates: "run" },
  ladder: ["nudge", "nudge", "stop"],
};

/** Document 003 for few false alarms: four equals among fifteen, or three laps of three to five calls; three warnings. */
export const conservative: CountingProfile = {
  counts: { repeats: 5, within: 16, cycles: { shortest: 3, longest: 5, laps: 3 }, escalates: "run" },
  ladder: ["nudge", "nudge", "nudge", "stop"],
};

/** Document 003 for catching loops early: one equal among ten, or two laps of two to four calls; one warning. */
export const aggressive: CountingProfile = {
  counts: { repeats: 2, within: 11, cycles: { shortest: 2, longest: 4, laps: 2 }, escalates: "run" },
  ladder: ["nudge", "stop"],
};

/**
 * Document 004: five equal calls among the last twenty, whose results are equal in their first 500 characters, start the run over. Thinking,
 * finishing and starting over themselves are not looked at.
 */
export const startOver: CountingProfile = {
  counts: { repeats: 5, within: 20, outcomes: "compare", comparedCharacters: 500 },
  ladder: ["restart"],
  rules: { sequential_thinking: { ignore: true }, complete: { ignore: true }, start_over: { ignore: true } },
};
