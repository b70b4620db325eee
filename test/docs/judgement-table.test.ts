import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Cell, TABLE } from "../../packages/doomloop/src/core/judge/table.ts";

const PAGE = new URL("../../docs/concepts/innocence.md", import.meta.url);

/** The rows of the page's table of acts by what they brought, with their header first. */
function rowsOnPage(): string[][] {
  const lines = readFileSync(PAGE, "utf8").split("\n");
  const from = lines.findIndex((line) => line.startsWith("| act | failure |"));
  const rows = lines.slice(from, lines.indexOf("", from));
  return rows
    .filter((line) => !line.startsWith("|---"))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

function inWords({ forgives, isSure }: Cell): string {
  if (forgives > 0) return `after ${forgives}`;
  return isSure ? "certain" : "nudge";
}

describe("the table of the judgement", () => {
  it("stands on the page as it stands in the code", () => {
    const [header, ...rows] = rowsOnPage();

    expect(rows).toEqual(
      Object.entries(TABLE).map(([act, cells]) => [
        act,
        ...header!.slice(1).map((brought) => inWords(cells[brought as keyof typeof cells])),
      ]),
    );
  });

  it("never takes for certain what it forgives at first", () => {
    const forgiven = Object.values(TABLE)
      .flatMap((cells) => Object.values(cells))
      .filter(({ forgives }) => forgives > 0);

    expect(forgiven.filter(({ isSure }) => isSure)).toEqual([]);
  });
});
