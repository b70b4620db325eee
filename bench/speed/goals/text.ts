import type { TextEvent } from "../../../packages/doomloop/src/core/event.ts";
import { createGuard } from "../../../packages/doomloop/src/index.ts";
import { type Bench, measure } from "../measure.ts";
import { createNumbers, prose } from "../sample-runs.ts";

/** A runaway model that writes nothing but newlines, in one event. */
export const newlines: Bench = (clock) => {
  const text = "\n".repeat(40_000);
  const { ours } = measure(clock, {
    ours: () => {
      const guard = createGuard();
      return () => guard.observe({ type: "text", text, partial: true });
    },
  });
  return { what: "40,000 newlines in one piece of text", measured: ours, goal: 5, unit: "ms", detail: "one event" };
};

const CHARACTERS = 400_000;
const PIECE = 20;

/** Observing streamed text, against a loop that only reads each character. */
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
