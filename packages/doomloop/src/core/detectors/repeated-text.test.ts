import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { call, decisionsOf, findingsOf, round, text, user } from "../../../../../test/builders.ts";
import { detectorContract } from "../../../../../test/contracts/detector.ts";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { refusal } from "../../../../../test/refusal.ts";
import type { AgentEvent } from "../event.ts";
import type { RepeatedTextOptions } from "../words/word-stream.ts";
import { repeatedText } from "./repeated-text.ts";

const CHANT = "I should check the file again to be sure that nothing was missed before going on. ";
const PROSE =
  "The parser reads a line, splits it at the first colon, and hands both halves to the table. Whatever is left over " +
  "at the end of the input is an error, unless the last line is empty. Numbers keep their sign; words are folded to " +
  "lower case first. A second pass looks for names that nobody declared, which the report then lists by file, with " +
  "the line and the column where each was used, so that an editor can jump there directly. ";

const piece = (words: string): AgentEvent => ({ type: "text", text: words, partial: true });
const thought = (words: string): AgentEvent => ({ type: "reasoning", text: words });
const pieces = (words: string, size = 40) =>
  Array.from({ length: Math.ceil(words.length / size) }, (_, at) => piece(words.slice(at * size, (at + 1) * size)));

/** What the detector sees in a guard that it is switched on in with these options. */
const findingsWith = (options: RepeatedTextOptions, events: readonly AgentEvent[]) =>
  findingsOf(repeatedText(options), events, { streams: options });

describe("repeatedText", () => {
  detectorContract(repeatedText, pieces(PROSE + CHANT.repeat(8)), pieces(PROSE));

  it("fires at the repetitions that are asked for and not before", () => {
    const options = { repetitions: 5, minimumLength: 300 };

    expect(findingsWith(options, pieces(PROSE + CHANT.repeat(4) + PROSE))).toEqual([]);
    expect(findingsWith(options, pieces(PROSE + CHANT.repeat(6)))[0]).toMatchObject({
      count: 5,
      period: CHANT.length,
      steps: [],
      evidence: { stream: "text" },
    });
    expect(findingsWith({ ...options, repetitions: 9 }, pieces(PROSE + CHANT.repeat(7) + PROSE))).toEqual([]);
  });

  it("needs the length that is asked for", () => {
    expect(findingsWith({ minimumLength: 300 }, pieces("go on now. ".repeat(20)))).toEqual([]);
    expect(findingsWith({ minimumLength: 100 }, pieces("go on now. ".repeat(20)))).not.toEqual([]);
  });

  it("tells reasoning from an answer", () => {
    expect(findingsWith({}, [thought(CHANT.repeat(8))])).toMatchObject([{ evidence: { stream: "reasoning" } }]);
  });

  it.each([
    ["a new round", round],
    ["a word of the user", user("go on")],
    ["a call", call("read_file", { path: "a.ts" })],
    ["the end of the answer", text("That is all.")],
  ])("starts again after %s", (_what, event) => {
    expect(findingsWith({ repetitions: 5 }, [...pieces(CHANT.repeat(4)), event, ...pieces(CHANT.repeat(4))])).toEqual(
      [],
    );
  });

  it("leaves a table of different figures alone", () => {
    const rows = Array.from(
      { length: 40 },
      (_, at) => `| row ${at} | ${(at * 7919) % 1000} | ${(at * 104729) % 977} |\n`,
    );

    expect(findingsWith({}, pieces(rows.join("")))).toEqual([]);
  });

  it("gives one text one identity, in either stream and wherever it begins, and another text another", () => {
    const loopOf = (events: readonly AgentEvent[]) => findingsWith({}, events)[0]?.loop;
    const loop = loopOf(pieces(CHANT.repeat(8)));

    expect(loopOf(pieces(PROSE + CHANT.repeat(8)))).toBe(loop);
    expect(loopOf([thought(PROSE), thought(CHANT.repeat(8))])).toBe(loop);
    expect(loopOf(pieces("Let me look once more at the very same thing, in case it has moved. ".repeat(8)))).not.toBe(
      loop,
    );
  });

  it("speaks in a guard as it is tuned there", () => {
    const quiet = { detectors: { "repeated-text": { repetitions: 40 } } };

    expect(decisionsOf(pieces(PROSE + CHANT.repeat(8)))[0]).toMatchObject({ finding: { kind: "repeated-text" } });
    expect(decisionsOf(pieces(PROSE + CHANT.repeat(8)), quiet)).toEqual([]);
  });

  it("sees a chant however it is cut into pieces", () => {
    const property = fc.property(fc.integer({ min: 1, max: 300 }), (size) => {
      const last = findingsWith({}, pieces(CHANT.repeat(8), size)).at(-1);

      expect(last).toMatchObject({ period: CHANT.length });
    });
    // Some seven hundred characters a case, each of them read.
    fc.assert(property, { numRuns: Math.ceil(propertyRuns() / 10) });
  });

  it.each([
    [{ repetitions: 1 }, "repeated-text: repetitions: … is required, got 1"],
    [{ minimumLength: 0 }, "repeated-text: minimumLength: … is required, got 0"],
  ])("refuses %j", (options, message) => {
    expect(() => repeatedText(options)).toThrow(refusal(message));
  });
});
