import { expect, it } from "vitest";
import { firstWord } from "./first-word.ts";
import { sampleLoop } from "./sample.ts";

it("is the earliest decision, whatever their order", () => {
  const decisions = [
    { call: 9, action: "block" as const },
    { call: 7, action: "nudge" as const },
  ];

  expect(firstWord(sampleLoop({ onset: 5, decisions }))).toBe(7);
});

it("is the onset of a loop that the guard would have passed over", () => {
  expect(firstWord(sampleLoop({ onset: 5 }))).toBe(5);
  expect(firstWord(undefined)).toBe(1);
});
