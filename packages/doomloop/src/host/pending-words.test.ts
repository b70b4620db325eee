import { describe, expect, it } from "vitest";
import { createPendingWords } from "./pending-words.ts";

describe("pending words", () => {
  it("are said once, in order, without duplicates", () => {
    const words = createPendingWords();
    for (const text of ["a", "b", "a", undefined, ""]) words.hold(text);

    expect(words.take()).toBe("b\n\na");
    expect(words.take()).toBeUndefined();
  });

  it("are found by their call", () => {
    const words = createPendingWords();
    words.holdFor("c1", "a");

    expect(words.takeFor("c2")).toBeUndefined();
    expect(words.takeFor("c1")).toBe("a");
    expect(words.takeFor("c1")).toBeUndefined();
  });

  it("are bounded, and the oldest are forgotten first", () => {
    const words = createPendingWords();
    for (let at = 0; at < 1000; at++) {
      words.hold(`w${at}`);
      words.holdFor(`c${at}`, `w${at}`);
    }

    expect(words.take()).toBe("w997\n\nw998\n\nw999");
    expect(Array.from({ length: 1000 }, (_, at) => words.takeFor(`c${at}`)).filter(Boolean)).toHaveLength(64);
  });
});
