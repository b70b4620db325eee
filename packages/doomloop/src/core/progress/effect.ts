/**
 * What a call does.
 *
 * `look`: at what only this run changes · `watch`: at what others may change · `act`: does something · `move`: on a page or a screen, where
 * it may miss · `write`: puts a text where it says · `say`: to somebody, or to itself · `test`: to see how it comes out · `wait`.
 */
export type Effect = "look" | "watch" | "act" | "move" | "write" | "say" | "test" | "wait";

/** How much the silence of each shows: what an equal outcome is worth that tells nothing by itself. */
export const SILENCE_SHOWS: Readonly<Record<Effect, number>> = {
  look: 1,
  watch: 0.4,
  act: 0.22,
  move: 0.22,
  write: 1,
  say: 1,
  test: 0.1,
  wait: 0.2,
};
