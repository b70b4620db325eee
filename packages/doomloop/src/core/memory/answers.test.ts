import { describe, expect, it } from "vitest";
import { addAnswer, createAnswers } from "./run-state.ts";

describe("answers", () => {
  it("are counted, and those that repeat an earlier one", () => {
    const answers = createAnswers();
    for (const hash of [1, 2, 1, 3, 3]) addAnswer(answers, hash);

    expect(answers).toMatchObject({ count: 5, repeats: 2 });
  });

  it("are remembered as the latest eight", () => {
    const answers = createAnswers();
    for (let hash = 0; hash < 100; hash++) addAnswer(answers, hash);
    addAnswer(answers, 0);

    expect(answers.said.length).toBeLessThanOrEqual(8);
    expect(answers.repeats).toBe(0);
  });
});
