import { expect, it } from "vitest";
import { fillSnippets, readRegion } from "../../scripts/generated/snippets.ts";

const FENCE = "```";
const block = (marker: string, code: string) => `${marker}${FENCE}ts\n${code}\n${FENCE}\n`;
const fill = (page: string) => fillSnippets(page, () => "const a = 2;\n");

it("takes the lines of a region, without the indentation they share, and a whole file without marks", () => {
  const file = "function a() {\n  // #region inside\n  if (b) {\n    c();\n  }\n  // #endregion inside\n}\n";

  expect(readRegion(file, "inside")).toBe("if (b) {\n  c();\n}\n");
  expect(readRegion("# #region x\na = 1  # one\n# #endregion x\nb = 2\n", "x")).toBe("a = 1  # one\n");
  expect(readRegion("// #region x\na;\n\n// #endregion x\nb;\n")).toBe("a;\n\nb;\n");
  expect(() => readRegion("// #region x\na;\n", "x")).toThrow("there is no region x");
});

it("writes a block from the file that its marker names, and leaves other blocks alone", () => {
  const marker = "<!-- snippet: a.ts -->\n";
  const other = `${FENCE}sh\nls\n${FENCE}\n`;

  expect(fill(block(marker, "const a = 1;") + other)).toEqual({
    text: block(marker, "const a = 2;") + other,
    files: ["a.ts"],
    faults: [],
  });
});

it("reports blocks without a marker and regions that are not there, each with its line", () => {
  expect(fill(`words\n\n${block("", "old")}`).faults).toEqual([
    "3: this ts block says of no file that it comes from it",
  ]);
  expect(fill(block("<!-- snippet: a.ts#x -->\n", "old")).faults).toEqual(["1: a.ts: there is no region x"]);
});
