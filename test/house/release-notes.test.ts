import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { releaseNotes, requireTag } from "../../scripts/package/changelog.ts";

const changelog = "# doomloop\n\n## 0.1.1\n\n### Fixed\n\n- Two.\n\n## 0.1.0\n\n### New\n\n- One.\n";

it("takes what the changelog says of one version", () => {
  expect(releaseNotes(changelog, "0.1.1")).toBe("### Fixed\n\n- Two.\n");
  expect(releaseNotes(changelog, "0.1.0")).toBe("### New\n\n- One.\n");
});

it("refuses a version that nobody wrote of", () => {
  expect(() => releaseNotes(changelog, "0.1")).toThrow(/a section for 0\.1 is required/);
});

it("finds words about the version that the package has", () => {
  const home = resolve(import.meta.dirname, "../../packages/doomloop");
  const { version } = JSON.parse(readFileSync(join(home, "package.json"), "utf8")) as { version: string };

  expect(requireTag(`v${version}`).length).toBeGreaterThan(20);
});

it.each([undefined, "", "v0.0.1", "main"])("refuses the tag %j", (tag) => {
  expect(() => requireTag(tag)).toThrow(/^release: the tag v\d+\.\d+\.\d+ is required, got/);
});
