import { describe, expect, it } from "vitest";
import { createAnswers } from "./answers.ts";

describe("createAnswers", () => {
  it("counts answers, and those that say the same", () => {
    const answers = createAnswers();
    for (const text of ["I begin.", "I go on.", "I begin."]) answers.add(text);

    expect(answers.save()).toMatchObject({ count: 3, repeats: 1 });
  });

  it("takes words that differ in a time for the same", () => {
    const answers = createAnswers();
    for (const text of ["It is 12:00:01, I begin.", "It is 12:00:02, I begin."]) answers.add(text);

    expect(answers.repeats()).toBe(1);
  });

  it("counts a streamed answer once, when it ends", () => {
    const answers = createAnswers();
    for (let at = 0; at < 5; at++) answers.addPiece();

    expect(answers.count()).toBe(0);
    expect(answers.endPieces()).toBe(true);
    expect(answers.count()).toBe(1);
    expect(answers.endPieces()).toBe(false);
  });

  it("forgets what was said long ago", () => {
    const answers = createAnswers();
    for (const text of ["a", ..."bcdefghi", "a"]) answers.add(text);

    expect(answers.repeats()).toBe(0);
  });

  it("forgets all when the agent acts", () => {
    const answers = createAnswers();
    answers.add("I begin.");
    answers.clear();
    answers.add("I begin.");

    expect(answers.save()).toMatchObject({ count: 1, repeats: 0 });
  });

  it("goes on from where it was saved", () => {
    const answers = createAnswers();
    answers.add("I begin.");
    answers.addPiece();
    const resumed = createAnswers(JSON.parse(JSON.stringify(answers.save())));

    expect(resumed.endPieces()).toBe(true);
    resumed.add("I begin.");
    expect(resumed.save()).toMatchObject({ count: 3, repeats: 1 });
  });
});
