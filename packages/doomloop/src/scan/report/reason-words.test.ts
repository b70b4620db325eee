import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { reasonWords } from "./reason-words.ts";

const REASONS = "changed-world user-spoke news-in-lap waiting sampling same-round compaction says-nothing".split(" ");

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
