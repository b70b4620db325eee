import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
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
    for (const piece of ["I ", "be", "gin", ".", ""]) answers.addPiece(piece);

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
    answers.addPiece("I be");
    const resumed = createAnswers(JSON.parse(JSON.stringify(answers.save())));
    resumed.addPiece("gin.");

    expect(resumed.endPieces()).toBe(true);
    resumed.add("Something else.");
    expect(resumed.save()).toMatchObject({ count: 3, repeats: 1 });
  });

  it("knows an answer again, whether it came whole or in pieces, however it was cut", () => {
    const property = fc.property(fc.string({ unit: "grapheme" }), fc.array(fc.nat(40)), (text, places) => {
      const answers = createAnswers();
      answers.add(text);
      const cuts = [0, ...places.map((place) => Math.min(place, text.length)).sort((one, other) => one - other)];
      cuts.forEach((cut, at) => {
        answers.addPiece(text.slice(cut, cuts[at + 1]));
      });
      answers.endPieces();

      expect(answers.save()).toMatchObject({ count: 2, repeats: 1 });
    });
    fc.assert(property, { numRuns: propertyRuns() });
  });

  it.each([
    ["another word", "I begin now.", "I begin later."],
    ["another letter beyond ASCII", "größe", "größer"],
    ["words that were run together", "go on", "goon"],
    ["a number where there was none", "I begin.", "I begin 1."],
  ])("tells answers apart that differ in %s", (_what, one, other) => {
    const answers = createAnswers();
    answers.add(one);
    answers.add(other);

    expect(answers.repeats()).toBe(0);
  });

  it("takes answers that differ in white space, marks or the value of a number for the same", () => {
    const answers = createAnswers();
    for (const text of ["Step 1: I begin.", "Step 27: I  begin!", " Step 3 - I begin"]) answers.add(text);

    expect(answers.repeats()).toBe(2);
  });
});
