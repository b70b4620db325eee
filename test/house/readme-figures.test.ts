import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";

const page = (name: string): string => readFileSync(resolve(import.meta.dirname, "../..", name), "utf8");

/** The figures of a table's row, behind its words. */
function figuresOf(row: string): readonly string[] {
  return row
    .split("|")
    .map((cell) => cell.trim())
    .filter((cell) => /^[\d.]+(?: %)?$/.test(cell));
}

/** The rows of the README's table, and where the page of figures has them: instrument and figure. */
const ROWS: Readonly<Record<string, readonly [string, string]>> = {
  "↑ recorded stretches: alarms that were right": ["recorded windows", "precision"],
  "↑ recorded stretches: share of the 112 loops found": ["recorded windows", "recall"],
  "↓ recorded runs that reached their goal: interrupted, of 3,996": ["successes", "spoken to"],
  "↓ real coding sessions: interrupted, of 810": ["real sessions", "spoken to"],
  "↓ invented everyday work: healthy runs interrupted, of 163": ["everyday, set 1", "innocents spoken to"],
  "↑ invented everyday work: loops found in time, of 118": ["everyday, set 1", "loops found in time"],
  "↓ the same, by authors who had not seen the guard: healthy runs interrupted, of 57": [
    "everyday, set 7",
    "innocents spoken to",
  ],
  "↑ the same, by authors who had not seen the guard: loops found in time, of 40": [
    "everyday, set 7",
    "loops found in time",
  ],
};

it.each(Object.entries(ROWS))("repeats what docs/quality.md says of %s", (words, [instrument, figure]) => {
  const lines = page("docs/quality.md").split("\n");
  const begin = lines.findIndex((line) => line.startsWith(`| ${instrument} |`) && figuresOf(line).length > 3);
  const long = lines.slice(begin).find((line) => line.includes(`| ${figure} |`)) ?? "";
  const short =
    page("README.md")
      .split("\n")
      .find((line) => line.startsWith(`| ${words} |`)) ?? "";

  // doomloop, OpenHands, Gemini CLI, opencode, then stella and senpi: the page has hermes in between.
  expect(figuresOf(short)).toEqual([0, 1, 2, 3, 5, 6].map((column) => figuresOf(long)[column]));
});

it("has every row of the README's table", () => {
  const rows = page("README.md")
    .split("\n")
    .filter((line) => figuresOf(line).length === 6);

  expect(rows).toHaveLength(Object.keys(ROWS).length);
});
