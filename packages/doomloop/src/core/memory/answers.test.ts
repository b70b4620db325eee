import { describe, expect, it } from "vitest";
import { addAnswer, createAnswers } from "./run-state.ts";

describe("answers", () => {
  it("are remembered as the latest eight", () => {
    const answers = createAnswers();
    for (let hash = 0; hash < 100; hash++) addAnswer(answers, hash);
    addAnswer(answers, 0);

    expect(answers.said.length).toBeLessThanOrEqual(8);
    expect(answers.repeats).toBe(0);
  });
});
