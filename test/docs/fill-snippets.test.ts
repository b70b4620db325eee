import { describe, expect, it } from "vitest";
import { fillSnippets, readRegion } from "../../scripts/generated/snippets.ts";

const FENCE = "```";

describe("readRegion", () => {
  it("takes the lines of a region, without the indentation they share", () => {
    const file = "function a() {\n  // #region inside\n  if (b) {\n    c();\n  }\n  // #endregion inside\n}\n";

    expect(readRegion(file, "inside")).toBe("if (b) {\n  c();\n}\n");
  });

  it("takes a whole file, without the marks of its regions", () => {
    expect(readRegion("// #region x\na;\n\n// #endregion x\nb;\n")).toBe("a;\n\nb;\n");
  });

  it("knows the marks of Python", () => {
    expect(readRegion("# #region x\na = 1  # one\n# #endregion x\nb = 2\n", "x")).toBe("a = 1  # one\n");
  });

  it("refuses a region that is not there or does not end", () => {
    expect(() => readRegion("// #region x\na;\n", "x")).toThrow("there is no region x");
  });
});

describe("fillSnippets", () => {
  const files: Record<string, string> = { "a.ts": "const a = 2;\n" };
  const readFile = (path: string) => files[path]!;
  const block = (marker: string, code: string) => `${marker}${FENCE}ts\n${code}\n${FENCE}\n`;

  it("writes a block from the file that its marker names", () => {
    const marker = "<!-- snippet: a.ts -->\n";

    expect(fillSnippets(block(marker, "const a = 1;"), readFile)).toEqual({
      text: block(marker, "const a = 2;"),
      files: ["a.ts"],
      faults: [],
    });
  });

  it("reports a block without a marker, with its line", () => {
    expect(fillSnippets(`words\n\n${block("", "const a = 1;")}`, readFile).faults).toEqual([
      "3: this ts block says of no file that it comes from it",
    ]);
  });

  it("reports a marker that does not stand directly above its block", () => {
    expect(fillSnippets(block("<!-- snippet: a.ts -->\n\n", "const a = 1;"), readFile).faults).toHaveLength(1);
  });

  it("reports a region that is not there", () => {
    expect(fillSnippets(block("<!-- snippet: a.ts#x -->\n", "const a = 1;"), readFile).faults).toEqual([
      "1: a.ts: there is no region x",
    ]);
  });

  it("keeps the indentation of a block in a list", () => {
    const page = `- so:\n  <!-- snippet: a.ts -->\n  ${FENCE}ts\n  old;\n  ${FENCE}\n`;

    expect(fillSnippets(page, readFile).text).toBe(
      `- so:\n  <!-- snippet: a.ts -->\n  ${FENCE}ts\n  const a = 2;\n  ${FENCE}\n`,
    );
  });

  it("leaves other blocks alone", () => {
    const page = `${FENCE}sh\nls\n${FENCE}\n\n${FENCE}json\n{}\n${FENCE}\n`;

    expect(fillSnippets(page, readFile)).toEqual({ text: page, files: [], faults: [] });
  });
});
