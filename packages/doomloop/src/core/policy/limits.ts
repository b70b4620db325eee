// The numbers of the ladder, each with its reason. When its rungs are due stands in `presets.ts`.

/** Rounds without the loop after which a nudge has helped. */
export const OBEYED_AFTER = 5;
/** Without a clock nobody knows how long a loop took: a rung takes this many times its rounds. */
export const WITHOUT_CLOCK = 1.25;
/** After this many times its rounds a rung is due whatever the time: an agent that makes ten calls a second goes in circles, too. */
export const TIME_WAIVED = 4;
/** Loops that are remembered, calls that would continue each, and steps of each: they fit into a snapshot. */
export const MAX_LOOPS = 12;
export const MAX_MEMBERS = 32;
export const MAX_LOOP_STEPS = 8;
/** Calls that must not happen twice and are remembered. */
export const MAX_DONE = 512;
