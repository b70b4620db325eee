import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { detectors } from "../../packages/doomloop/src/core/detectors/index.ts";
import { kindWords } from "../../packages/doomloop/src/scan/report/words.ts";

const pages = resolve(import.meta.dirname, "../../docs/detectors");

/** Four places make a detector work. What is checked here is what people read about it. */
describe.each(Object.keys(detectors))("the detector %s", (kind) => {
  it("has words for people in scan/report/words.ts", () => {
    const { name, meaning } = kindWords(kind);

    expect(name).not.toBe(kind);
    expect(meaning).toMatch(/^[A-Z].*\.$/);
  });

  it("has a page, and a line in the table of docs/detectors/README.md", () => {
    expect(existsSync(join(pages, `${kind}.md`)), `docs/detectors/${kind}.md`).toBe(true);
    expect(readFileSync(join(pages, "README.md"), "utf8")).toContain(`| [\`${kind}\`](${kind}.md) |`);
  });
});
