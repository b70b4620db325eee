import { describe, expect, it } from "vitest";
import { createWords } from "./words.ts";

describe("words that wait", () => {
  it("are said once, in order, each but once", () => {
    const words = createWords();
    for (const text of ["a", "b", "a", undefined, ""]) words.hold(text);

    expect(words.take()).toBe("b\n\na");
    expect(words.take()).toBeUndefined();
  });

  it("belong to their call", () => {
    const words = createWords();
    words.holdFor("c1", "a");

    expect(words.takeFor("c2")).toBeUndefined();
    expect(words.takeFor("c1")).toBe("a");
    expect(words.takeFor("c1")).toBeUndefined();
  });

  it("are bounded: the oldest are forgotten", () => {
    const words = createWords();
    for (let at = 0; at < 1000; at++) {
      words.hold(`w${at}`);
      words.holdFor(`c${at}`, `w${at}`);
    }

    expect(words.take()).toBe("w997\n\nw998\n\nw999");
    expect(Array.from({ length: 1000 }, (_, at) => words.takeFor(`c${at}`)).filter(Boolean)).toHaveLength(64);
  });
});
