import { expect, it } from "vitest";
import { sampleLoop, sampleSteps } from "../report/sample.ts";
import { ribbonKey } from "./ribbon-key.ts";
import { ribbonSlices } from "./ribbon-slices.ts";
import { runPicture } from "./run-picture.ts";

/** The key of a ribbon whose steps have these labels, with a loop from one call to another. */
function keyOf(labels: string, onset: number, end: number) {
  const steps = sampleSteps(labels);
  const loops = [sampleLoop({ onset, end, calls: [[onset, end]] })];
  const picture = runPicture({ from: 1, total: steps.length, steps }, loops, "call");
  const key = ribbonKey(picture, loops);
  const colours = new Set(ribbonSlices(picture.strip.cells, loops).map(({ colour }) => colour));
  return { words: key.map(({ group, words }) => words ?? group!.example.label), colours, key };
}

it("names every colour of a cycle of three calls", () => {
  const { words, colours, key } = keyOf("a b c a b c a b c", 1, 9);

  expect(words).toEqual(["a", "b", "c"]);
  expect(new Set(key.map(({ colour }) => colour))).toEqual(colours);
});

it("says what has the colours of no group: other calls of the loop, and other work", () => {
  const { words, colours, key } = keyOf("r a b a b x a b q", 2, 8);

  expect(words).toEqual(["a", "b", "in a loop, equal to no other", "not in a loop"]);
  expect(new Set(key.map(({ colour }) => colour))).toEqual(colours);
});

it("counts the rest of many groups", () => {
  expect(keyOf("a b c d e f g h a b c d e f g h", 1, 16).words.at(-1)).toBe("and 2 more");
});
