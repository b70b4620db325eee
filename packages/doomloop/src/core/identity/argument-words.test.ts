import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { platform } from "../../platform.ts";
import { type ArgumentWords, isRewording, wordsOfArguments } from "./argument-words.ts";
import { byteWriter } from "./byte-writer.ts";
import { writeCanonical } from "./canonical.ts";

function wordsOf(args: unknown): ArgumentWords | undefined {
  byteWriter.begin();
  writeCanonical(args, platform);
  const bytes = new Uint8Array(8192);
  const end = byteWriter.copyHead(bytes, 0, bytes.length);
  return wordsOfArguments(bytes.subarray(0, end), { starts: byteWriter.marks, end });
}

const isReworded = (one: unknown, other: unknown): boolean => isRewording(wordsOf(one)!, wordsOf(other)!);

describe("isRewording", () => {
  it.each([
    [{ q: "who owns billing" }, { q: "billing: who owns" }],
    [{ q: "SELECT a FROM t" }, { q: "SELECT a FROM t WHERE a IS NOT NULL" }],
    [{ command: "[ -d /srv/data ] && echo yes" }, { command: 'test -d "/srv/data" && echo yes' }],
    [
      { q: "x", limit: 3 },
      { q: "x", limit: 3, isExact: true },
    ],
  ])("is one question put in two ways: %j", (one, other) => {
    expect(isReworded(one, other)).toBe(true);
    expect(isReworded(other, one)).toBe(true);
  });

  it.each([
    [{ q: "who owns billing" }, { q: "who owns search" }],
    [
      { date: "2026-05-05", to: "ORD" },
      { date: "2026-05-01", to: "ORD" },
    ],
    [{ id: 1 }, { id: 2 }],
    [{ ids: [1] }, { ids: [2] }],
    [{ path: "/a/b" }, { path: "/a/c" }],
    [{}, { q: "anything" }],
  ])("is not two questions: %j", (one, other) => {
    expect(isReworded(one, other)).toBe(false);
  });

  it("asks for no order and no repetition of words, whatever they are", () => {
    const property = fc.property(
      fc.array(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 1, maxLength: 20 }),
      (words) => {
        expect(isReworded({ q: words.join(" ") }, { q: [...words, ...words].reverse().join(", ") })).toBe(true);
      },
    );

    fc.assert(property, { numRuns: propertyRuns() });
  });

  it("gives up on texts of too many words", () => {
    expect(wordsOf({ q: Array.from({ length: 60 }, (_, at) => `word${at}`).join(" ") })).toBeUndefined();
  });
});
