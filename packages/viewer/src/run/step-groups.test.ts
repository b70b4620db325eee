import { describe, expect, it } from "vitest";
import { sampleLoop, sampleSteps } from "../report/sample.ts";
import { chooseGrouping, stepGroups } from "./step-groups.ts";

const loop = (onset: number, end: number) => sampleLoop({ onset, end });

describe("groups of equal steps", () => {
  it("have a letter each, those of the loops first, and none for a step that stands alone", () => {
    const groups = stepGroups(sampleSteps("x x x x q a b a b"), [loop(6, 9)], "call");

    expect([...groups.values()].map(({ key, letter, count }) => [key, letter, count])).toEqual([
      ["a", "A", 2],
      ["b", "B", 2],
      ["x", "C", 4],
    ]);
  });

  it("begin with the first call of the first loop, however often others repeat", () => {
    const groups = stepGroups(sampleSteps("c q c b a b b b b x c c"), [loop(4, 9), loop(11, 12)], "call");

    expect([...groups.values()].map(({ key, letter }) => key + letter)).toEqual(["bA", "cB"]);
  });

  it("go on after Z", () => {
    const names = Array.from({ length: 60 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join(" ");
    const letters = [...stepGroups(sampleSteps(`${names} ${names}`), [], "call").values()].map(({ letter }) => letter);

    expect([letters[25], letters[26], letters[51], letters[52]]).toEqual(["Z", "AA", "AZ", "BA"]);
    expect(new Set(letters).size).toBe(60);
  });

  it("leave out steps without an outcome where outcomes count", () => {
    expect(stepGroups(sampleSteps("a b c1 d1"), [], "outcome").size).toBe(1);
  });
});

describe("what counts as equal at first", () => {
  it.each([
    ["a1 a1 a1", "call"],
    ["a1 b1 c1", "outcome"],
    ["a1 a2 a3", "call"],
    ["a b c", "call"],
  ])("for %s is the %s", (letters, grouping) => {
    expect(chooseGrouping(sampleSteps(letters), [loop(1, 3)])).toBe(grouping);
  });

  it("is the tool where calls and outcomes all differ", () => {
    const steps = sampleSteps("a1 b2 c3").map((step) => ({ ...step, tool: "search" }));

    expect(chooseGrouping(steps, [loop(1, 3)])).toBe("tool");
  });

  it("looks at the loops only", () => {
    expect(chooseGrouping(sampleSteps("x x x x a1 b1 c1"), [loop(5, 7)])).toBe("outcome");
  });
});
