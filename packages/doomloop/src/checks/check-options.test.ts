import { expect, it } from "vitest";
import { checkFields, type Fields, GUARD_OPTIONS, similarWord } from "./check-options.ts";

const WORDS = ["scan", "show", "tune", "init", "doctor"];

it.each([
  ["scna", "scan"],
  ["scann", "scan"],
  ["scn", "scan"],
  ["shoe", "show"],
  ["nacs", "scan"],
  ["docter", "doctor"],
])("takes %s for %s", (word, meant) => {
  expect(similarWord(word, WORDS)).toBe(meant);
});

it.each([
  ["repeat-call", "repeated-call"],
  ["fuzzythreshhold", "fuzzythreshold"],
  ["ladderpase", "ladderpace"],
])("takes the long word %s for %s", (word, meant) => {
  expect(similarWord(word, ["similar-call", "repeated-call", "fuzzythreshold", "ladderpace"])).toBe(meant);
});

it.each(["runs", "x", "", "scanning", "initialise"])("takes %j for nothing else", (word) => {
  expect(similarWord(word, WORDS)).toBeUndefined();
});

it.each(["tools", "question"])("names only options that a user can set in the error about %s", (name) => {
  const given: Fields = { [name]: {} };

  expect(() => checkFields("", given, GUARD_OPTIONS)).toThrow("there is no such option");
  expect(() => checkFields("", given, GUARD_OPTIONS)).not.toThrow("questions");
});
