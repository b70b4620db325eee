import { describe, expect, it } from "vitest";
import { ENDINGS, VOCABULARY } from "../../packages/doomloop/src/scan/redact/vocabulary.ts";

describe("the vocabulary", () => {
  it.each(["error", "denied", "pytest", "kubectl", "running", "path", "doomloop", "times"])("knows %s", (word) => {
    expect(VOCABULARY.has(word)).toBe(true);
  });

  it("holds words alone, in small letters", () => {
    expect([...VOCABULARY, ...ENDINGS].filter((word) => !/^[a-z0-9]{2,24}$/.test(word))).toEqual([]);
    expect(ENDINGS.has("ing")).toBe(true);
  });
});
