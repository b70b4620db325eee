import { describe, expect, it } from "vitest";
import { addAnswer, createAnswers } from "./answers.ts";

function answersOf(...said: number[]) {
  const answers = createAnswers();
  for (const hash of said) addAnswer(answers, hash);
  return answers;
}

describe("addAnswer", () => {
  it("counts answers, and those that say the same", () => {
    expect(answersOf(1, 2, 1, 3, 2)).toMatchObject({ count: 5, repeats: 2 });
  });

  it("forgets what was said long ago", () => {
    expect(answersOf(1, 2, 3, 4, 5, 6, 7, 8, 9, 1)).toMatchObject({ count: 10, repeats: 0 });
    expect(answersOf(1, 2, 3, 4, 5, 6, 7, 8, 1)).toMatchObject({ repeats: 1 });
  });

  it("leaves plain data", () => {
    const answers = answersOf(7, -8);

    expect(JSON.parse(JSON.stringify(answers))).toEqual(answers);
  });
});
