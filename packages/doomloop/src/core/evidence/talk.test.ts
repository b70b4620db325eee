import { describe, expect, it } from "vitest";
import { decisionsOf, round, step, text, times, user } from "../../testing/events.ts";
import type { AgentEvent } from "../event.ts";

const says = (words: string): AgentEvent[] => [round, text(words)];
const piece: AgentEvent = {
  type: "text",
  partial: true,
  text: "The harbour master decides when the harbour opens again, and until then it stays closed. ",
};

describe("words without work", () => {
  const announce = says("I will now run the linter and then fix what it finds.");

  it("are told of at the third equal answer, and end the run", () => {
    const decisions = decisionsOf(times(25, announce));

    expect(decisionsOf(times(2, announce))).toEqual([]);
    expect(decisions[0]).toMatchObject({ action: "nudge", finding: { kind: "text-only", count: 3 } });
    expect(decisions.map(({ action }) => action)).toContain("stop");
    expect(decisions.map(({ action }) => action)).not.toContain("block");
  });

  it("take longer where each answer says something else", () => {
    const answers = Array.from({ length: 12 }, (_, at) => says(`${"abcdefghijkl"[at]} ${"word ".repeat(at + 1)}`));

    expect(decisionsOf(answers.slice(0, 8).flat())).toEqual([]);
    expect(decisionsOf(answers.flat())[0]).toMatchObject({
      finding: { kind: "text-only", evidence: { isRepeating: false } },
    });
  });

  it("are not called the same if there are no words to compare", () => {
    const evidenceOf = (words: string) => decisionsOf(times(3, says(words)))[0]?.finding?.evidence;

    expect(evidenceOf("Done.")).toEqual({ isRepeating: true });
    expect(evidenceOf("")).toEqual({ isRepeating: false });
  });

  it("start over with a call, and when the user speaks", () => {
    const look = step("read_file", { path: "a.ts" }, "export const a = 1;");

    expect(
      decisionsOf([...times(2, announce), ...look, ...times(2, announce), user("Well?"), ...times(2, announce)]),
    ).toEqual([]);
  });
});

describe("answers with a clock", () => {
  const every = (ms: number, count: number): AgentEvent[] =>
    Array.from({ length: count }, (_, at) => [round, { ...text("Nothing new."), at: at * ms }] as AgentEvent[]).flat();

  it("count as ever, however long each takes", () => {
    expect(decisionsOf(every(5_000, 3))).toHaveLength(1);
    expect(decisionsOf(every(240_000, 3))).toHaveLength(1);
  });

  it("never count if they keep a schedule", () => {
    expect(decisionsOf(every(300_000, 200))).toEqual([]);
  });
});

describe("the same words inside one answer", () => {
  it("are told of at the fifth repetition, and end the run", () => {
    const decisions = decisionsOf(times(150, [piece]));

    expect(decisionsOf(times(3, [piece]))).toEqual([]);
    expect(decisions[0]).toMatchObject({ action: "nudge", finding: { kind: "repeated-text", count: 5 } });
    expect(decisions.map(({ action }) => action)).toContain("stop");
  });

  it("are watched for as the host says", () => {
    expect(decisionsOf(times(20, [piece]), { detectors: { "repeated-text": false } })).toEqual([]);
    expect(decisionsOf(times(4, [piece]), { detectors: { "repeated-text": { repetitions: 3 } } })).not.toEqual([]);
  });
});
