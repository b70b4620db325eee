import type { AgentEvent } from "doomloop";
import { describe, expect, it } from "vitest";
import { decisionsOf, round, step, text, times, user } from "../../../../../test/builders.ts";
import { type Answers, withAnswer } from "./talk.ts";

const says = (words: string): AgentEvent[] => [round, text(words)];
const announce = says("I will now run the linter and then fix what it finds.");
const every = (ms: number, count: number) =>
  Array.from({ length: count }, (_, at) => [round, { ...text("Nothing new."), at: at * ms } as AgentEvent]).flat();

describe("words without work", () => {
  it("are told of at the third equal answer, and end the run", () => {
    const decisions = decisionsOf(times(25, announce));

    expect(decisionsOf(times(2, announce))).toEqual([]);
    expect(decisions[0]).toMatchObject({ action: "nudge", finding: { kind: "text-only", count: 3 } });
    expect(decisions.find(({ action }) => action === "stop")?.at).toBe(2 * 19 + 1);
    expect(new Set(decisions.map(({ action }) => action))).toEqual(new Set(["nudge", "stop"]));
  });

  it("take longer where each answer says something else", () => {
    const answers = Array.from({ length: 12 }, (_, at) => says(`${"abcdefghijkl"[at]} ${"word ".repeat(at + 1)}`));

    expect(decisionsOf(answers.slice(0, 8).flat())).toEqual([]);
    expect(decisionsOf(answers.flat())[0]?.finding).toMatchObject({ evidence: { isRepeating: false } });
  });

  it("are not called the same if there are no words to compare", () => {
    const isRepeating = (words: string) => decisionsOf(times(3, says(words)))[0]?.finding?.evidence;

    expect([isRepeating("Done."), isRepeating("")]).toEqual([{ isRepeating: true }, { isRepeating: false }]);
  });

  it("start over with a call, when the user speaks, and where they keep a schedule", () => {
    const look = step("read_file", { path: "a.ts" }, "export const a = 1;");
    const twice = times(2, announce);

    expect(decisionsOf([...twice, ...look, ...twice, user("Well?"), ...twice])).toEqual([]);
    expect(decisionsOf(every(300_000, 200))).toEqual([]);
    expect([5_000, 240_000].map((ms) => decisionsOf(every(ms, 3)).length)).toEqual([1, 1]);
  });

  it("are counted, and compared with the latest eight", () => {
    const after = (hashes: readonly number[]) =>
      hashes.reduce<Answers | undefined>((answers, hash) => withAnswer(answers, hash, undefined), undefined);

    expect(after([1, 2, 1, 3, 3])).toMatchObject({ count: 5, repeats: 2, said: [1, 2, 3] });
    expect(after([...Array(100).keys(), 0])).toMatchObject({ count: 101, repeats: 0, said: { length: 8 } });
  });
});

describe("the same words inside one answer", () => {
  const words = "The harbour master decides when the harbour opens again, and until then it stays closed. ";
  const pieces = (count: number) => times(count, [{ type: "text", partial: true, text: words }]);

  it("are told of at the fifth repetition, and end the run", () => {
    const decisions = decisionsOf(pieces(150));

    expect(decisionsOf(pieces(3))).toEqual([]);
    expect(decisions[0]).toMatchObject({ action: "nudge", finding: { kind: "repeated-text", count: 5 } });
    expect(decisions.map(({ action }) => action)).toContain("stop");
  });

  it("are watched for as the host says", () => {
    expect(decisionsOf(pieces(20), { detectors: { "repeated-text": false } })).toEqual([]);
    expect(decisionsOf(pieces(4), { detectors: { "repeated-text": { repetitions: 3 } } })).not.toEqual([]);
  });
});
