import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { DETECTOR_KINDS } from "../../packages/doomloop/src/core/finding.ts";
import { kindWords } from "../../packages/doomloop/src/scan/report/words.ts";

const root = resolve(import.meta.dirname, "../..");
const detectors = join(root, "packages/doomloop/src/core/detectors");
const read = (path: string): string => readFileSync(join(root, path), "utf8");

/**
 * Adding a kind of loop touches four places: its file in `evidence/`, its test, the list of kinds, and its sentence. The compiler asks for
 * the list and the sentence. Two more places are what people read about it.
 */
describe.each(DETECTOR_KINDS)("the kind %s", (kind) => {
  const isTalk = kind === "text-only" || kind === "repeated-text";
  const files = readdirSync(detectors).filter((file) => !file.endsWith(".test.ts") && namesKind(file, kind));

  it.skipIf(isTalk)("has a file in detectors/ that finds it, with a test beside it", () => {
    expect(files).not.toEqual([]);
    for (const file of files) expect(existsSync(join(detectors, file.replace(/\.ts$/, ".test.ts"))), file).toBe(true);
  });

  it("has a sentence in messages/sentences.ts", () => {
    const sentences = read("packages/doomloop/src/core/messages/sentences.ts");

    expect(sentences).toMatch(new RegExp(`^ {2}"?${kind}"?(?::|,$)`, "m"));
  });

  it("has words for people in scan/report/words.ts", () => {
    const { name, meaning } = kindWords(kind);

    expect(name).not.toBe(kind);
    expect(meaning).toMatch(/^[A-Z].*\.$/);
  });

  it("has a line and a section in docs/detectors.md", () => {
    const page = read("docs/detectors.md");

    expect(page).toMatch(new RegExp(`^\\| \\[\`${kind}\`\\]\\(#[a-z-]+-${kind}\\) \\|`, "m"));
    expect(page).toMatch(new RegExp(`^## .*: \`${kind}\`$`, "m"));
  });
});

function namesKind(file: string, kind: string): boolean {
  return readFileSync(join(detectors, file), "utf8").includes(`"${kind}"`);
}
