import { describe, expect, it } from "vitest";
// @ts-expect-error: Changesets loads this module, and it has no types.
import { getReleaseLine } from "../../.changeset/changelog.mjs";
import { renameHeadings, reopenVersion } from "../../scripts/package/changelog.ts";

const first = "# doomloop\n\n## 0.1.0\n\n### New\n\nAll of it.\n\n- One.\n";
const second = first.replace(
  "## 0.1.0",
  "## 0.2.0\n\n### New\n\n- Two.\n\n### Fixed\n\n- Three.\n\n  More of it.\n\n## 0.1.0",
);

describe("a version that is made once more", () => {
  it("goes back to nothing from the first one", () => {
    expect(reopenVersion(first)).toEqual({ version: "0.0.0", changelog: "", texts: { minor: "All of it.\n\n- One." } });
  });

  it("goes back to the one before, and keeps what each kind of change said", () => {
    expect(reopenVersion(second)).toEqual({
      version: "0.1.0",
      changelog: first,
      texts: { minor: "- Two.", patch: "- Three.\n\n  More of it." },
    });
  });

  it("refuses a heading that it would lose", () => {
    expect(() => reopenVersion(first.replace("### New", "### Other"))).toThrow(/a kind of change is required/);
  });
});

describe("a changelog", () => {
  it("has headings that readers understand", () => {
    expect(renameHeadings("## 1.0.0\n\n### Major Changes\n\n- A.\n\n### Patch Changes\n\n- B.\n")).toBe(
      "## 1.0.0\n\n### Breaking\n\n- A.\n\n### Fixed\n\n- B.\n",
    );
  });

  it("has a changeset as one item, all of its lines inside", async () => {
    expect(await getReleaseLine({ id: "brave-owl", summary: "One.\n\nTwo." })).toBe("- One.\n\n  Two.\n");
  });

  it("has what was taken back as it was", async () => {
    expect(await getReleaseLine({ id: "0-unreleased-minor", summary: "- One.\n- Two." })).toBe("- One.\n- Two.\n\n");
  });
});
