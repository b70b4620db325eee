import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import {
  addedInWords,
  addsNothing,
  costSourceInWords,
  evidenceInWords,
  placeInWords,
  reasonWords,
  sessionsInWords,
  spanInWords,
} from "./words.ts";

const REASONS = "changed-world user-spoke news-in-lap new-outcome waiting asked-for same-round compaction".split(" ");

it.each(REASONS)("has plain words of its own for %s, that complete a sentence", (reason) => {
  expect(reasonWords(reason)).toMatch(/^[a-z][a-z ,]{15,60}[a-z]$/);
  expect(REASONS.filter((other) => reasonWords(other) === reasonWords(reason))).toEqual([reason]);
});

it.each(REASONS)("is documented for %s, word by word", (reason) => {
  const page = readFileSync(new URL("../../../../../docs/scan.md", import.meta.url), "utf8");

  expect(page).toContain(`| \`${reason}\` | ${reasonWords(reason)} |\n`);
});

it.each(["tomorrow's", "constructor", "__proto__", ""])("leaves %j as it is", (reason) => {
  expect(reasonWords(reason)).toBe(reason);
});

it("says what a repeat adds to the evidence, or why it adds nothing", () => {
  expect([1, 0.22, 0.333].map(addedInWords)).toEqual(["+1", "+0.22", "+0.33"]);
  expect(addsNothing("waiting")).toBe("adds nothing: it came after a pause, or was waiting for something");
  expect(evidenceInWords({ weight: 7.36 })).toBe("evidence 7.4, where a plain repeat adds 1");
});

it("mentions agents only if there are subagents", () => {
  expect(sessionsInWords({ sessions: 1, agents: 2 })).toBe("1 session, 2 agents");
  expect(sessionsInWords({ sessions: 3, agents: 3 })).toBe("3 sessions");
});

it.each([
  [-5, "0 s"],
  [1, "1 s"],
  [58_000, "58 s"],
  [59_001, "1 min"],
  [250_000, "4 min 10 s"],
  [5_400_000, "1 h 30 min"],
  [7_200_000, "2 h"],
  [260_000_000, "3 days"],
])("writes %i ms as %s", (spanMs, words) => {
  expect(spanInWords(spanMs)).toBe(words);
});

it("says where the cost of a session comes from", () => {
  expect(costSourceInWords("recorded", "2026-09-23")).toBe("as the agent recorded it");
  expect(costSourceInWords("priced", "2026-09-23")).toBe("by list prices of 2026-09-23");
  expect(costSourceInWords("estimated", "2026-09-23")).toBe("estimated from text, by list prices of 2026-09-23");
  expect(costSourceInWords("priced", null)).toBe("by list prices");
});

it("is undefined if there is no cost, or an unknown source", () => {
  expect(costSourceInWords(null, "2026-09-23")).toBeUndefined();
  expect(costSourceInWords("guessed" as "priced", null)).toBeUndefined();
});

it("places answers after the call before them", () => {
  const loop = { onset: 3, end: 3, calls: [], uncounted: [] };

  expect([placeInWords(loop), placeInWords({ ...loop, onset: 0 })]).toEqual(["after call 3", "before the first call"]);
});
