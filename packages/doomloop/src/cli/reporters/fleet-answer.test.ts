import { describe, expect, it } from "vitest";
import { type FleetAnswer, fleetAnswer } from "./fleet-answer.ts";

const ANSWER: FleetAnswer = {
  ...{ name: "SZPBqDjCghPlvH0a-Ow3uA", calls: 12, workers: 3, lastsMs: 250_000, switch: "on", isKeyTheirs: true },
  settings: { calls: 10, workers: 2, windowMs: 300_000, keyMark: "0c4bb119" },
};

const verdictOn = (more: Partial<FleetAnswer>): string => fleetAnswer({ ...ANSWER, ...more })[0]!;
const nothing = { calls: 0, workers: 0, lastsMs: 0 };

describe("what is said of one call", () => {
  it("is that it is a dead end, and by what", () => {
    expect(fleetAnswer(ANSWER)).toEqual([
      "It is a dead end.",
      "",
      "calls       12; a dead end takes 10",
      "processes   3; a dead end takes 2",
      "counts for  4 min 10 s",
      "call        SZPBqDjCghPlvH0a-Ow3uA",
      "switch      on",
      "key         the one of the workers",
    ]);
  });

  it.each<[string, Partial<FleetAnswer>]>([
    ["It is a suspect, and no dead end yet.", { calls: 9 }],
    ["It is a suspect, and no dead end yet.", { workers: 1 }],
    ["It is a dead end.", { calls: 10, workers: 2 }],
    [
      "It is a suspect. Whether it is a dead end is not known: the workers' settings are missing.",
      { settings: undefined },
    ],
    [
      "It is unknown. No worker has been here: the tenant or the address may be another.",
      { ...nothing, settings: undefined },
    ],
  ])("is %s", (verdict, more) => {
    expect(verdictOn(more)).toBe(verdict);
  });

  it("is no figure where nothing is counted", () => {
    const lines = fleetAnswer({ ...ANSWER, ...nothing });

    expect(lines[0]).toMatch(/^It is unknown\. In the last 5 min /);
    expect(lines.filter((line) => /^(?:calls|processes|counts)/.test(line))).toEqual([]);
  });

  it("is no more than what the store can count", () => {
    expect(fleetAnswer({ ...ANSWER, calls: 100 })[2]).toBe("calls       100 or more; a dead end takes 10");
  });

  it.each([
    [true, "the one of the workers"],
    [false, "another than in the workers' settings"],
    [undefined, "cannot be compared"],
  ])("is whether the key is theirs: %s", (isKeyTheirs, words) => {
    expect(fleetAnswer({ ...ANSWER, isKeyTheirs }).at(-1)).toBe(`key         ${words}`);
  });
});
