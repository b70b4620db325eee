import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { everyWord, type Masking, maskText, withMiddle } from "./mask-text.ts";

const same = (one: string, other: string, masking?: Masking): boolean =>
  maskText(one, masking).digest === maskText(other, masking).digest;

describe("maskText", () => {
  it.each([
    ["a clock", "ready at 12:04:11", "ready at 12:04:59"],
    ["a clock with fractions", "12:04:11.123 ready", "12:05:01.456 ready"],
    ["a date and a time", "at 2026-03-04T10:11:12Z", "at 2026-03-04T10:12:12Z"],
    ["a duration", "took 113ms", "took 254ms"],
    ["a duration in seconds", "Finished in 1.3s", "Finished in 2.7s"],
    ["a duration in words", "done after 3 seconds", "done after 9 seconds"],
    ["an address", "at 0x7f3a9c1eb80", "at 0x7f3a9c1ea81"],
    ["a uuid", "trace 3f2504e0-4f89-41d3-9a0c-0305e82c3301", "trace 3f2504e0-4f89-41d3-9a0c-0305e82c3302"],
    ["a commit", "at 6e4a320e", "at 2fc114b0"],
    ["seconds since 1970", "now 1770000000", "now 1770000037"],
    ["a process id", "pid 48211 ended", "pid 48228 ended"],
    ["a request id", "request_id: a1b2c3", "request_id: d4e5f6"],
    ["a port", "on localhost:50311", "on localhost:50622"],
    ["a temporary path", "kept at /tmp/run-a/out.log", "kept at /tmp/run-b/out.log"],
    ["an element's number", "[12] button", "[57] button"],
    ["an element's reference", "[ref=e5] button", "[ref=e19] button"],
    ["white space", "a  b\n\n c", "a b\nc"],
  ])("takes texts for the same that differ in %s", (_, one, other) => {
    expect(same(one, other)).toBe(true);
    expect(maskText(one).rest === maskText(other).rest).toBe(_ === "white space");
  });

  it.each([
    ["a count", "100 rows written", "200 rows written"],
    ["a percentage", "progress: 30%", "progress: 60%"],
    ["a version", "released 1.2.0", "released 1.3.0"],
    ["a word", "the door is open", "the door is shut"],
    ["a path", "in src/a.ts", "in src/b.ts"],
    ["a line", "one\ntwo", "one\ntwo\nthree"],
    ["a sign", "is it there?", "is it there!"],
    ["a letter beyond ASCII", "Kühe", "Köhe"],
    ["a day, which a program works through", "imported up to 2024-01-05", "imported up to 2024-01-06"],
  ])("tells texts apart that differ in %s", (_, one, other) => {
    expect(same(one, other)).toBe(false);
  });

  it("masks ids and numbers where it is asked to", () => {
    expect(same("created TCK-4711", "created TCK-4712")).toBe(false);
    expect(same("created TCK-4711", "created TCK-4712", "ids")).toBe(true);
    expect(same("sent 3 mails", "sent 4 mails", "ids")).toBe(false);
    expect(same("sent 3 mails", "sent 4 mails", "numbers")).toBe(true);
  });

  it("cuts a text into the pieces that say something", () => {
    const { pieces } = maskText('{"name": "Ada Lovelace", "born": 1815, "id": 7}\nthe end of it');

    expect(pieces).toHaveLength(2);
    expect(maskText("--\n12\n  ...\nab").pieces).toEqual([]);
    expect(maskText("first line of it\\nsecond line of it").pieces).toHaveLength(2);
  });

  it("knows a piece again in another text, whatever number it has there", () => {
    const [first] = maskText("1. open the door").pieces;

    expect(maskText("knock first\n17. open the door").pieces).toContain(first);
  });

  it("reads so much and no more, in bounded lists", () => {
    const long = "some words here, ".repeat(100_000);
    const { pieces } = maskText(long);

    expect(maskText(long).digest).toBe(maskText(`${long.slice(0, 4_000)}something else`).digest);
    expect(pieces.length).toBeLessThan(1_025);
  });

  it("is the same each time, for any text", () => {
    const property = fc.property(
      fc.string({ unit: "binary" }),
      fc.constantFrom("volatile", "ids", "numbers"),
      (text, by) => {
        expect(maskText(text, by as Masking)).toEqual(maskText(text, by as Masking));
      },
    );
    fc.assert(property, { numRuns: propertyRuns() });
  });

  it("tells apart any two texts of letters that differ", () => {
    const letters = fc
      .string({ unit: fc.constantFrom("g", "h", "k", " "), minLength: 1, maxLength: 20 })
      .map((text) => text.trim());
    const property = fc.property(letters, letters, (one, other) => {
      const isSame = one.replaceAll(/ +/g, " ") === other.replaceAll(/ +/g, " ");
      expect(same(one, other)).toBe(isSame);
    });
    fc.assert(property, { numRuns: propertyRuns() });
  });
});

describe("everyWord", () => {
  it("reads each word with its own hash, and stops at the first that fails the test", () => {
    const heard: number[] = [];
    const isEvery = everyWord("Look for Ada Lovelace, and for orders", (word) => heard.push(word) > 0);

    expect([isEvery, new Set(heard).size > 3]).toEqual([true, true]);
    expect(everyWord("Look for Ada Lovelace", (word) => word === heard[0])).toBe(false);
    expect(everyWord("", () => true)).toBe(false);
  });
});

describe("withMiddle", () => {
  const START = maskText("start and end");
  const read = (text: string) => withMiddle(START, text, 0, text.length);
  const LINES = Array.from(
    { length: 400 },
    (_, at) => `${"ab".repeat((at % 7) + 2)} ${"cd".repeat((at % 5) + 2)} ${"ef".repeat((at % 9) + 2)}`,
  );

  it.each([
    ["clocks", "ready at 12:04:11", "ready at 12:04:59"],
    ["dates", "on 2026-03-04T10:11:12Z", "on 2026-03-05T10:11:12Z"],
    ["ids", "trace 3f2504e0-4f89-41d3-9a0c-0305e82c3301", "trace 77a1f0e0-4f89-41d3-9a0c-0305e82c3302"],
    ["durations", "took 113ms", "took 254ms"],
    ["white space", "a  b\n\n c", "a b\nc"],
  ])("takes texts for the same that differ in %s, and knows that they are not equal", (what, one, other) => {
    expect(read(one).digest).toBe(read(other).digest);
    expect(read(one).rest === read(other).rest).toBe(what === "white space");
  });

  it("tells texts apart by a word or a number of their middle", () => {
    expect(read("job seven is open").digest).not.toBe(read("job seven is done").digest);
    expect(read("4 of 9 done").digest).not.toBe(read("5 of 9 done").digest);
    expect(read("4 of 9 done")).toMatchObject({ words: read("5 of 9 done").words, sum: START.sum + 13 });
  });

  it("compares few of many lines, the same ones if a line is added", () => {
    const one = read(LINES.join("\n")).pieces;
    const other = read(["one more line", ...LINES].join("\n")).pieces;

    expect(one.length).toBeLessThanOrEqual(START.pieces.length + 64);
    expect(other.filter((piece) => !one.includes(piece)).length).toBeLessThanOrEqual(1);
  });

  it("reads all of a middle that is very long", () => {
    const filler = "x ".repeat(200_000);

    expect(read(`${filler}one ${filler}`).digest).not.toBe(read(`${filler}two ${filler}`).digest);
    expect(read(`${filler}1 ${filler}`).words).not.toBe(read(`${filler}2 ${filler}`).words);
    expect(read(`one ${filler}`).digest).not.toBe(read(`two ${filler}`).digest);
    expect(read(`${filler} one`).digest).not.toBe(read(`${filler} two`).digest);
  });
});
