import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { mechanisms } from "../../bench/quality/without/mechanisms.ts";

type Figures = Readonly<Record<string, { readonly size: number; readonly figures: Readonly<Record<string, number>> }>>;

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
/** What `npm run bench:quality -- --write` has measured last. CI holds the guard to it. */
const measured = JSON.parse(read("bench/quality/figures.json")) as Figures;
const figureOf = (instrument: string, figure: string): number | undefined => measured[instrument]?.figures[figure];

/** The cells of all rows of tables on a page. */
const rowsOf = (page: string): readonly (readonly string[])[] =>
  read(page)
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

/** Whether a cell shows a figure, as far as it is rounded. */
function shows(cell: string, value: number): boolean {
  const [, digits = "", sign] = /^([\d.]+)( %)?$/.exec(cell) ?? [];
  const decimals = digits.split(".")[1]?.length ?? 0;
  return digits === (value * (sign === undefined ? 1 : 100)).toFixed(decimals);
}

describe("the figures", () => {
  it("of docs/quality.md are those that were measured", () => {
    let instrument = "";
    let compared = 0;
    for (const [name = "", figure = "", ours = ""] of rowsOf("docs/quality.md")) {
      if (name !== "") instrument = name;
      const value = figureOf(instrument, figure);
      if (value === undefined) continue;
      compared++;
      expect(shows(ours, value), `${instrument}, ${figure}: ${ours} for ${value}`).toBe(true);
    }
    expect(compared).toBeGreaterThan(40);
  });

  it("of docs/quality.md by set are those that were measured", () => {
    const figures = [
      "innocents refused",
      "innocents ended",
      "loops found late",
      "loops missed",
      "loops spoken to early",
    ];
    for (const figure of figures) {
      const [, ...sets] = rowsOf("docs/quality.md").find(([name]) => name === figure) ?? [];
      expect(sets).toHaveLength(8);
      for (const [at, cell] of sets.entries()) {
        const value = figureOf(`everyday, set ${at + 1}`, figure);
        expect(value !== undefined && shows(cell, value), `${figure}, set ${at + 1}: ${cell} for ${value}`).toBe(true);
      }
    }
  });

  it("of docs/mechanisms.md begin with the guard of today, and name every mechanism (npm run bench:quality -- --without each)", () => {
    const rows = rowsOf("docs/mechanisms.md");
    const [, , innocents = "", loops = ""] = rows.find(([name]) => name === "(nothing)") ?? [];
    const mean = (figure: string): number =>
      [1, 3, 6].reduce((sum, set) => sum + figureOf(`everyday, set ${set}`, figure)!, 0) / 3;

    expect(shows(innocents.split(" /")[0]!, mean("innocents spoken to")), innocents).toBe(true);
    expect(shows(loops, mean("loops found in time")), loops).toBe(true);
    expect(mechanisms.map(({ name }) => name).filter((name) => !rows.some(([first]) => first === name))).toEqual([]);
  });
});
