import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { platform } from "../../platform.ts";
import { hashesOf, wordsOf } from "../identity/argument-words.ts";
import { callIdentity } from "../identity/call-identity.ts";
import { type Edge, edgeOf, hashWithout, isVolatileAt } from "./describe-outcome.ts";

/** Whether the word between the marks is volatile where it stands. */
const isVolatile = (marked: string): boolean => {
  const text = marked.replace(/[«»]/g, "");
  const [start, end] = [marked.indexOf("«"), marked.indexOf("»") - 1];
  return isVolatileAt(text, start, end, /\d/.test(text.slice(start, end)));
};

describe("isVolatileAt", () => {
  it.each([
    "12:30",
    "12:30:59",
    "1:02:03.123456",
    "2026-03-04",
    "2026/03/04",
    "04/03/2026",
    "2026-03-04T10:11:12Z",
    "2026-03-04T10:11:12.345+01:00",
    "2026-03-04_10-11-12",
    "1770000000",
    "1770000000123",
    "1770000000.25",
    "20260304101112",
    "0x7f3a9c",
    "deadbeef01",
    "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
    "12ms",
    "1.25s",
    "2h5m3s",
    "350us",
    "localhost:8080",
    "127.0.0.1:50123",
    "3x",
    "/tmp/a1b2/out.log",
    "/tmp/x",
    "/var/folders/zz/x",
    "/var/tmp/y",
    "12:30:59.",
  ])("masks %j", (word) => {
    expect(isVolatile(`«${word}»`)).toBe(true);
  });

  it.each([
    "1",
    "42",
    "3.14",
    "100",
    "1.2.3",
    "v2",
    "abc",
    "a1",
    "cafe",
    "5%",
    "utf8",
    "src/a1.ts",
    "10.0.0.1",
    "4915112345",
    "4006381333931",
    "99:99:99:99",
    "e2e",
    "12/13",
    "x3",
    "5M",
    "tmp/x",
    "/home/tmp/x",
    "/tmpx",
    `${"1".repeat(201)}`,
  ])("leaves %j", (word) => {
    expect(isVolatile(`«${word}»`)).toBe(false);
  });

  it.each([
    "«3» seconds",
    "«3.25» ms",
    "«12» min",
    "pid «4711»",
    '"port": «5173»',
    "attempt «2»",
    "Chunk ID: «a1b2c3»",
    "request_id=«x7-q9z»",
    '"traceId": "«x7-q9z»"',
    "span-id: «x7-q9z»",
    "idempotency_key «x7-q9z»",
    "etag: «x7-q9z»",
    "[«12»] link",
    "link [ref=«e52»]",
  ])("masks what stands between the marks in %j", (text) => {
    expect(isVolatile(text)).toBe(true);
  });

  it.each([
    "«3» rows",
    "«3» messages",
    "line «4711»",
    "pid, «4711»",
    "grid «4711»",
    "of «a1b2c3»",
    "id «a1b2c»",
    "my_request_id=«x7-q9z»",
    "name=«x7-q9z»",
    "[«v2»]",
    "list[«12»",
    "href=«e52»",
  ])("leaves what stands between the marks in %j", (text) => {
    expect(isVolatile(text)).toBe(false);
  });
});

const areAlike = (edge: Edge, one: string, other: string): boolean => edgeOf(one, edge) === edgeOf(other, edge);
const filler = "a line of something else\n".repeat(20);

describe("edgeOf", () => {
  it.each<[string, Edge, string, string]>([
    ["numbers", "beginning", "read 12 lines of it", "read 7 lines of it"],
    ["ids", "beginning", "run a1-b2 is done", "run c3 is done"],
    ["a path", "beginning", "wrote /tmp/abc", "wrote /tmp/xyz and more"],
    [
      "what stands behind it",
      "beginning",
      `the first words of a text that goes on for a long time ${filler}`,
      "the first words of a text that goes on for a long walk",
    ],
    ["what stands before it", "ending", `${filler}done`, "done"],
    ["tags of a harness", "beginning", "<returncode>0</returncode>\n<output>\nfine", "fine"],
    ["a closing tag", "ending", "done", "done\n</output>\n"],
    ["white space", "ending", "done", "done \n\n"],
    ["durations", "ending", "Finished in 12ms", "Finished in 340ms"],
  ])("is the same whatever %s", (_, edge, one, other) => {
    expect(areAlike(edge, one, other)).toBe(true);
  });

  it.each<[Edge, string, string]>([
    ["beginning", "read it", "wrote it"],
    ["ending", "fine\nKeyError: name", "fine\nKeyError: path"],
    ["ending", "<b>one</b>", "<b>two</b>"],
  ])("at the %s tells %j from %j", (edge, one, other) => {
    expect(areAlike(edge, one, other)).toBe(false);
  });

  it("is a number of 16 bits, of nothing too", () => {
    for (const text of ["", "<", "\n", filler])
      for (const edge of ["beginning", "ending"] as const) expect(edgeOf(text, edge)).toBe(edgeOf(text, edge) & 0xffff);
  });
});

const hashesIn = (args: unknown) => hashesOf(wordsOf(callIdentity("tool", args, platform)!.args));
const units = (text: string) => Uint16Array.from([...text].map((letter) => letter.charCodeAt(0)));
const rest = (args: unknown, text: string) => hashWithout(hashesIn(args), units(text), 0, text.length);

describe("hashWithout", () => {
  it("is the same for answers that differ in the words of their question", () => {
    expect(rest({ name: "alpha" }, "no symbol alpha here")).toBe(rest({ name: "beta" }, "no symbol Beta here"));
    expect(rest({ name: "alpha" }, "no symbol alpha here")).not.toBe(rest({ name: "beta" }, "no symbol alpha here"));
  });

  it.each([
    ["another word", "no symbol alpha here", "no symbol alpha there"],
    ["another number", "3 rows", "4 rows"],
    ["the order", "one two", "two one"],
    ["a word of the question less", "alpha is alpha", "alpha is"],
  ])("tells answers apart that differ in %s", (_what, one, other) => {
    expect(rest({ name: "alpha" }, one)).not.toBe(rest({ name: "alpha" }, other));
  });

  it("ignores white space, marks or case", () => {
    expect(rest({}, "One  two.")).toBe(rest({}, " one, TWO"));
    expect(rest({}, "")).toBe(rest({}, " . "));
  });

  it("reads the part of a text that it is told to", () => {
    const text = units("xx one two yy");

    expect(hashWithout(new Set(), text, 3, 10)).toBe(hashWithout(new Set(), units("one two"), 0, 7));
  });

  it("is the same whatever single name a question and its answer share", () => {
    const name = fc.stringMatching(/^[a-z]{3,12}$/);
    const common = hashesIn({ text: "item of 17" });
    const property = fc.property(name, name, (one, other) => {
      const answer = (word: string) => `item <${word}> of 17: ${word}!`;
      // A word has 16 bits, so about one name in twenty thousand equals a word of the answer.
      fc.pre(![...hashesIn({ one, other })].some((hash) => common.has(hash)));

      expect(rest({ q: one }, answer(one))).toBe(rest({ q: other }, answer(other)));
    });
    fc.assert(property, { numRuns: propertyRuns() });
  });
});
