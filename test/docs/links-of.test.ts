import { describe, expect, it } from "vitest";
import { linksOf } from "../../scripts/check-links.ts";

describe("the links of a page", () => {
  it.each([
    ["a link", "[a](x.md)", ["x.md"]],
    ["a link with a title", "[a](x.md \"t\") [b](y.md 't') [c](z.md (t))", ["x.md", "y.md", "z.md"]],
    ["a title on the next line", '[a](x.md\n"a title")', ["x.md"]],
    ["a link in angle brackets", "[a](<x y.md>)", ["x y.md"]],
    ["an image", "![a](x.svg)", ["x.svg"]],
    ["an image with a title", '![a](x.svg "t")', ["x.svg"]],
    ["an image in a link", "[![a](x.svg)](y.md)", ["x.svg", "y.md"]],
    ["HTML", '<a href="x.md"><img src="y.svg"></a>', ["x.md", "y.svg"]],
    ["a definition", '[b][c]\n\n[c]: x.md "t"\n', ["x.md"]],
    ["a definition in angle brackets", "[c]: <x y.md>\n", ["x y.md"]],
    ["code", "`[a](x.md)`\n\n```md\n[a](y.md)\n```\n", []],
    ["a footnote", "[^1]: see elsewhere\n", []],
  ])("are found in %s", (_title, markdown, targets) => {
    expect(linksOf(markdown)).toEqual({ targets, undefinedLabels: [] });
  });

  it.each([
    ["[b][c]", ["c"]],
    ["[b][]", ["b"]],
    ["![b][c]", ["c"]],
    ["[b][C  d]\n\n[c D]: x.md\n", []],
    ["[c][]\n\n[c]: x.md\n", []],
    ["`code`[0][1], list[0][1]", []],
  ])("name what is not defined: %j", (markdown, labels) => {
    expect(linksOf(markdown).undefinedLabels).toEqual(labels);
  });
});
