import { describe, expect, it } from "vitest";
import { anchorsOf, withoutCode } from "../../docs/.vitepress/anchors.ts";

describe("anchorsOf", () => {
  it("names headings as GitHub does", () => {
    const page = "# One `more.chance`: --start-over\n\n## What's *new*, [here](x.md)?\n";

    expect([...anchorsOf(page)]).toEqual(["one-morechance---start-over", "whats-new-here"]);
  });

  it("numbers headings that are equal", () => {
    expect([...anchorsOf("## Options\n\n## Options\n\n## Options\n")]).toEqual(["options", "options-1", "options-2"]);
  });

  it("knows what a page names itself, and nothing in code", () => {
    expect([...anchorsOf('<a id="here"></a>\n\n```sh\n# no heading\n```\n')]).toEqual(["here"]);
  });
});

describe("withoutCode", () => {
  it("ends a block at its own fence", () => {
    expect(withoutCode("a\n````md\n```\nb\n````\nc\n")).toBe("a\n\nc\n");
  });
});
