import { expect, it } from "vitest";
import { type Column, layOut } from "./columns.ts";

const COLUMNS: readonly Column[] = [
  { heading: "name", minimum: 6 },
  { heading: "count", align: "right" },
  { heading: "more", minimum: 6, isOptional: true },
];

function linesOf(rows: string[][], width: number): string[] {
  return rows.map(layOut(COLUMNS, rows, width));
}

it("lines up columns at their natural widths where there is room", () => {
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

it("takes from the widest column first", () => {
  expect(linesOf([["a very long name", "1", "shorter"]], 24)).toEqual(["a very …      1  shorter"]);
});

it("leaves out an optional column where the others need its room", () => {
  expect(linesOf([["a very long name", "1", "shorter"]], 16)).toEqual(["a very l…      1"]);
});

it("never cuts a column that has no minimum", () => {
  expect(linesOf([["a very long name", "1234567", "more"]], 3)).toEqual(["a ver…  1234567"]);
});

it("cuts a later row to the widths of the first ones", () => {
  const format = layOut(COLUMNS, [["short", "1", "x"]], 80);

  expect(format(["longer than that", "22", "y"])).toBe("long…     22  y");
});

it("gives a dearer column a larger share where room is short", () => {
  const columns: readonly Column[] = [
    { heading: "name", minimum: 2, weight: 2 },
    { heading: "more", minimum: 2 },
  ];
  const format = layOut(columns, [["a".repeat(30), "b".repeat(30)]], 32);

  expect(format(["a".repeat(30), "b".repeat(30)])).toBe(`${"a".repeat(19)}…  ${"b".repeat(9)}…`);
});
