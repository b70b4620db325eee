import fc from "fast-check";
import { expect, it } from "vitest";
import { propertyRuns } from "../../../../test/property-runs.ts";
import { columnsOf, cutToWidth, printable } from "./printable.ts";

it.each([
  { title: "plain text", text: "run-1/ä (β) Ж ~", shown: "run-1/ä (β) Ж ~" },
  { title: "wide letters", text: "実行 한글 カナ", shown: "実行 한글 カナ" },
  { title: "the marks of test runners", text: "✖ 2 ✓ 3 → ├── … “a” ×", shown: "✖ 2 ✓ 3 → ├── … “a” ×" },
  { title: "other letters and pictures", text: "ა ก \u{1f600}", shown: "ა ก \u{1f600}" },
  { title: "tabs but for their width", text: "1\texport\t\tx", shown: "1  export    x" },
  { title: "the symbol that is asked to be coloured", text: "⚠\ufe0f", shown: "⚠" },
])("leaves $title unchanged", ({ text, shown }) => {
  expect(printable(text)).toBe(shown);
});

it.each([
  { title: "an escape sequence", text: "\u001b[31mred", shown: "\\u{1b}[31mred" },
  { title: "a line feed", text: "a\nb", shown: "a\\u{a}b" },
  { title: "a delete", text: "\u007f", shown: "\\u{7f}" },
  { title: "an 8-bit control character", text: "\u009b2J", shown: "\\u{9b}2J" },
  { title: "a change of direction", text: "a\u202eb", shown: "a\\u{202e}b" },
  { title: "a letter written from right to left", text: "\u05d0", shown: "\\u{5d0}" },
  { title: "a joiner", text: "a\u200db", shown: "a\\u{200d}b" },
  { title: "a combining mark", text: "e\u0301", shown: "e\\u{301}" },
  { title: "an invisible letter", text: "\u3164", shown: "\\u{3164}" },
  { title: "a lone surrogate", text: "\ud800", shown: "\\u{d800}" },
  { title: "a right-to-left comma", text: "\u060c", shown: "\\u{60c}" },
  { title: "an invisible symbol", text: "\u2800", shown: "\\u{2800}" },
])("escapes $title", ({ text, shown }) => {
  expect(printable(text)).toBe(shown);
});

it("counts wide letters as two columns", () => {
  expect(columnsOf("ab実")).toBe(4);
  expect(columnsOf("✖（\u{1f600}")).toBe(5);
});

it.each([
  { text: "abcdef", width: 6, cut: "abcdef" },
  { text: "abcdef", width: 5, cut: "abcd…" },
  { text: "実行中", width: 4, cut: "実…" },
  { text: "abc", width: 1, cut: "…" },
  { text: "abc", width: 0, cut: "" },
  { text: "abcdef", width: 5, cut: "ab…ef", where: "middle" },
  { text: "abcdef", width: 4, cut: "ab…f", where: "middle" },
  { text: "実行中止", width: 5, cut: "実…止", where: "middle" },
  { text: "abc", width: 1, cut: "…", where: "middle" },
] as const)("cuts $text to $width columns", ({ text, width, cut, ...more }) => {
  expect(cutToWidth(text, width, "where" in more ? more.where : undefined)).toBe(cut);
});

it("returns no control characters and at most the given columns, for any text", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary", maxLength: 20 }),
      fc.nat(30),
      fc.constantFrom("end", "middle"),
      (text, width, where) => {
        const shown = cutToWidth(printable(text), width, where);
        expect(columnsOf(shown)).toBeLessThanOrEqual(width);
        expect(shown).not.toMatch(/[\p{Control}\p{Format}\p{Mark}\p{Surrogate}]/u);
      },
    ),
    { numRuns: Math.ceil(propertyRuns() / 4) },
  );
});
