import { expect, it } from "vitest";
import { spanInWords } from "./span-in-words.ts";

it.each([
  [-5, "0 s"],
  [1, "1 s"],
  [58_000, "58 s"],
  [59_001, "1 min"],
  [250_000, "4 min 10 s"],
  [5_400_000, "1 h 30 min"],
  [7_200_000, "2 h"],
  [260_000_000, "3 days"],
])("tells %i ms as %s", (spanMs, words) => {
  expect(spanInWords(spanMs)).toBe(words);
});
