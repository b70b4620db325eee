import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { detectors } from "../../packages/doomloop/src/core/detectors/index.ts";
import { optionsFileOf, optionTable, readOptions, withTables } from "../../scripts/pictures/option-table.ts";

const core = resolve(import.meta.dirname, "../../packages/doomloop/src/core");
const SOURCE = `
export interface Finding {
  /** Not an option. */
  readonly other?: number;
}

export interface LoopOptions {
  /**
   * Calls that make a finding, with \`beyond\`
   * of the next.
   * @default 3
   */
  readonly threshold?: number;
  /** @default \`threshold\` */
  readonly loose?: number | false;
}
`;

describe("the options of a detector", () => {
  it("are read from their doc comments", () => {
    expect(readOptions(SOURCE)).toEqual([
      { name: "threshold", meaning: "Calls that make a finding, with `beyond` of the next.", defaultValue: "3" },
      { name: "loose", meaning: "", defaultValue: "`threshold`" },
    ]);
  });

  it("become a table with what presets make of them", () => {
    const options = [{ name: "loose", meaning: "One | other.", defaultValue: "3" }];

    expect(optionTable(options, { shy: { loose: 5 }, bold: {} })).toBe(
      "| option | default | `shy` | `bold` | what it says |\n" +
        "| --- | --- | --- | --- | --- |\n" +
        "| `loose` | `3` | `5` |  | One \\| other. |\n",
    );
  });

  it("stand on a page between their marks, and nothing else of it changes", () => {
    const page = "before\n<!-- options: stalled -->\nold\n<!-- end of options -->\nafter\n";

    expect(withTables(page, (kind) => `table of ${kind}\n`)).toBe(page.replace("old", "table of stalled"));
  });

  it.each(Object.keys(detectors))("have the defaults that their comments tell: %s", (kind) => {
    const source = readFileSync(resolve(core, optionsFileOf(kind)), "utf8");
    const options = readOptions(source);
    const plain = options.filter(({ defaultValue }) => /^(?:[\d.]+|true|false)$/.test(defaultValue));

    expect(plain.length).toBeGreaterThan(0);
    for (const { name, meaning, defaultValue } of plain) {
      expect(meaning, name).not.toBe("");
      // `maxPeriod` is as large as it may be, and that has a name.
      const written = [`${name} = ${defaultValue}`, `${name} = MAX_PERIOD`].some((words) => source.includes(words));
      expect(written, `${kind}: ${name} = ${defaultValue}`).toBe(true);
    }
  });
});
