import { expect, it } from "vitest";
import { columnsOf } from "../../system/printable.ts";
import { type Column, layOut, wrapLines, wrapList, wrapText } from "./columns.ts";

const COLUMNS: readonly Column[] = [
  { heading: "name", minimum: 6 },
  { heading: "count", align: "right" },
  { heading: "more", minimum: 6, isOptional: true },
];

function linesOf(rows: string[][], width: number): string[] {
  return rows.map(layOut(COLUMNS, rows, width));
}

it("aligns columns at their natural widths if there is room", () => {
  expect(
    linesOf(
      [
        ["a", "5", "x"],
        ["long name", "12345678", "yy"],
      ],
      80,
    ),
  ).toEqual(["a                 5  x", "long name  12345678  yy"]);
});

it("narrows the widest column first", () => {
  expect(linesOf([["a very long name", "1", "shorter"]], 24)).toEqual(["a very …      1  shorter"]);
});

it("drops an optional column if the others need the room", () => {
  expect(linesOf([["a very long name", "1", "shorter"]], 16)).toEqual(["a very l…      1"]);
});

it("drops the last optional column, wherever it stands", () => {
  const columns: readonly Column[] = [
    { heading: "name", minimum: 6 },
    { heading: "times", isOptional: true },
    { heading: "when", isOptional: true },
    { heading: "spent" },
  ];
  const row = ["a very long name", "12x", "2d ago", "14.4K to 20.8K"];

  expect(layOut(columns, [row], 30)(row)).toBe("a very…  12x    14.4K to 20.8K");
  expect(layOut(columns, [row], 24)(row)).toBe("a very …  14.4K to 20.8K");
});

it("never cuts a column without a minimum", () => {
  expect(linesOf([["a very long name", "1234567", "more"]], 3)).toEqual(["a ver…  1234567"]);
});

it("cuts a later row to the widths of the first ones", () => {
  const format = layOut(COLUMNS, [["short", "1", "x"]], 80);

  expect(format(["longer than that", "22", "y"])).toBe("long…     22  y");
});

it("gives a column with more weight a larger share if there is little room", () => {
  const columns: readonly Column[] = [
    { heading: "name", minimum: 2, weight: 2 },
    { heading: "more", minimum: 2 },
  ];
  const format = layOut(columns, [["a".repeat(30), "b".repeat(30)]], 32);

  expect(format(["a".repeat(30), "b".repeat(30)])).toBe(`${"a".repeat(19)}…  ${"b".repeat(9)}…`);
});

it("wraps a text at spaces, and indents the following lines", () => {
  expect(wrapText("one two three four", 9, "  ")).toBe("one two\n  three\n  four");
});

it("keeps list items whole", () => {
  const text = wrapList(["Claude Code 12", "项目管理系统 3", "pi 1"], 20);

  expect(text).toBe("Claude Code 12,\n项目管理系统 3, pi 1");
  expect(Math.max(...text.split("\n").map(columnsOf))).toBeLessThanOrEqual(20);
});

it("ignores colours when it measures", () => {
  expect(wrapText("\u001b[1mone\u001b[22m two", 7)).toBe("\u001b[1mone\u001b[22m two");
});

it("wraps only lines that are too wide, keeps their indents, and needs a width", () => {
  const text = "short  one\n  two three four\n";

  expect(wrapLines(text, 11)).toBe("short  one\n  two three\n  four\n");
  expect(wrapLines(text, undefined)).toBe(text);
});
