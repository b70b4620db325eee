import { createGuard, type TextEvent } from "../../../packages/doomloop/src/index.ts";
import { createNumbers, prose } from "../generate-runs.ts";
import type { Bench } from "../goal.ts";
import { measure } from "../measure.ts";

const CHARACTERS = 400_000;
const PIECE = 20;

/** Watching words as they stream in, against a loop that only looks at each character. */
export const streamedText: Bench = (clock) => {
  const text = prose(CHARACTERS, createNumbers(1));
  const pieces: TextEvent[] = [];
  for (let at = 0; at < text.length; at += PIECE) {
    pieces.push({ type: "text", text: text.slice(at, at + PIECE), partial: true });
  }
  let sum = 0;
  const { floor, ours } = measure(clock, {
    floor: () => () => {
      for (const piece of pieces) for (let at = 0; at < piece.text.length; at++) sum += piece.text.charCodeAt(at);
    },
    ours: () => {
      const guard = createGuard();
      return () => {
        for (const piece of pieces) guard.observe(piece);
      };
    },
  });
  if (sum === 0) throw new Error("streamed text: the loop was not run");
  const each = `${((ours * 1e6) / text.length).toFixed(1)} ns a character against ${((floor * 1e6) / text.length).toFixed(1)} ns`;
  return {
    what: "streamed text, against a loop that sums its character codes",
    measured: ours / floor,
    goal: 15,
    unit: "x",
    detail: `${text.length.toLocaleString("en-US")} characters in pieces of ${PIECE}, ${each}`,
  };
};
