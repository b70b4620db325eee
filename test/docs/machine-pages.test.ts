import { describe, expect, it } from "vitest";
import { llmsText, markdownTwin } from "../../docs/.vitepress/machine-pages.ts";

const pages = new Set(["docs/guard.md", "docs/adapters/README.md", "SECURITY.md"]);

describe("markdownTwin", () => {
  it("leads to the Markdown of other pages, and to the repository for the rest", () => {
    const text = "[guard](../guard.md#options) [all](README.md) [how](../../SECURITY.md) [tests](../../test/scenarios)";

    expect(markdownTwin("docs/adapters/README.md", text, pages)).toBe(
      "[guard](https://doomloop.github.io/doomloop/guard.md#options) [all](https://doomloop.github.io/doomloop/adapters/index.md) " +
        "[how](https://doomloop.github.io/doomloop/security-policy.md) [tests](https://github.com/doomloop/doomloop/tree/main/test/scenarios)",
    );
  });

  it("leads to pictures", () => {
    expect(markdownTwin("docs/detectors/a.md", "![strip](strips/a.svg)", pages)).toBe(
      "![strip](https://raw.githubusercontent.com/doomloop/doomloop/main/docs/detectors/strips/a.svg)",
    );
  });

  it("leads to pictures in HTML", () => {
    expect(markdownTwin("docs/index.md", '<img src="./pictures/a.svg" alt="a">', pages)).toBe(
      '<img src="https://raw.githubusercontent.com/doomloop/doomloop/main/docs/pictures/a.svg" alt="a">',
    );
  });

  it("leaves code, other addresses and anchors of the page alone, and drops markers", () => {
    const code = "```sh\necho '[a](b.md)'\n```";
    const text = `[x](https://example.com) [y](#here) \`[z](z.md)\`\n\n<!-- snippet: docs/snippets/a.ts -->\n${code}\n\n[z](#there)\n`;

    expect(markdownTwin("docs/guard.md", text, pages)).toBe(
      `[x](https://example.com) [y](#here) \`[z](z.md)\`\n\n${code}\n\n[z](#there)\n`,
    );
  });

  it("refuses a link that leads nowhere", () => {
    expect(() => markdownTwin("docs/guard.md", "[x](not-there.md)", pages)).toThrow(
      "docs/guard.md: the link not-there.md leads nowhere",
    );
  });
});

describe("llmsText", () => {
  it("lists each page with its first sentence", () => {
    const groups = [{ title: "The guard", pages: [{ path: "docs/guard.md", title: "The guard", isBelow: false }] }];
    const text =
      "# The guard\n\n```ts\nconst a = 1;\n```\n\nIt watches **one** run,\nand [answers](x). It never throws.\n";

    expect(llmsText(groups, "Breaks loops.", () => text)).toBe(
      "# doomloop\n\n> Breaks loops.\n\n## The guard\n\n- [The guard](https://doomloop.github.io/doomloop/guard.md): It watches one run, and answers.\n",
    );
  });
});
