import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readFigures } from "../../bench/quality/committed-figures.ts";
import { readSpeed, withFigures } from "../../scripts/figures/figure-tables.ts";

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const measured = { quality: readFigures(), speed: readSpeed() };
const TABLES = /<!-- figures: [a-z]+ -->/g;

/** `npm run bench:quality -- --write` and `npm run bench:speed -- --write` measure, `node scripts/write-figures.ts` writes the pages. */
describe("the figures", () => {
  it.each([
    ["README.md", 1],
    ["docs/quality.md", 4],
    ["docs/speed.md", 1],
  ])("of %s are those that were measured last", (page, tables) => {
    expect(read(page).match(TABLES)).toHaveLength(tables);
    expect(read(page)).toBe(withFigures(read(page), measured));
  });

  it("leave the rest of a page as it is", () => {
    const page = "before\n<!-- figures: sets -->\nold\n<!-- end of figures -->\nafter\n";

    expect(withFigures(page, measured)).toMatch(
      /^before\n<!-- figures: sets -->\n\| doomloop \| set 1 [\s\S]*\nafter\n$/,
    );
  });

  it("refuse a table that is none", () => {
    expect(() => withFigures("<!-- figures: luck -->\n<!-- end of figures -->", measured)).toThrow("luck");
  });
});
