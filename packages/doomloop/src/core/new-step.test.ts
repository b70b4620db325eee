import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../test/property-runs.ts";
import { isWordy } from "./new-step.ts";

const WORDS = "Please tell me where the invoices of last year are kept today";

describe("isWordy", () => {
  it.each<[string, unknown]>([
    ["a text", WORDS],
    ["a field", { to: "anna", text: WORDS }],
    ["a list", ["anna", WORDS]],
    ["the first of many fields", { text: WORDS, a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7, h: 8 }],
    ["a field of a field", { arguments: { text: WORDS } }],
    ["a text of sixty characters", { text: WORDS.slice(0, 60) }],
    ["a field of the eighth name", { a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7, text: WORDS }],
  ])("is true for arguments with words in %s", (_what, args) => {
    expect(isWordy(args)).toBe(true);
  });

  it.each<[string, unknown]>([
    ["a few words", { text: WORDS.slice(0, 59) }],
    ["a long name", { path: "src/".repeat(40) }],
    ["a text behind many fields", { a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7, h: 8, text: WORDS }],
    ["a text deep inside", { a: { b: { text: WORDS } } }],
    ["nothing", {}],
    ["no arguments", undefined],
    ["null", null],
    ["a number", 7],
  ])("is false for %s", (_what, args) => {
    expect(isWordy(args)).toBe(false);
  });

  it("reads no getter", () => {
    const args = Object.defineProperty({}, "text", { enumerable: true, get: () => expect.unreachable() });

    expect(isWordy(args)).toBe(false);
  });

  it("ends on a value that holds itself", () => {
    const args: { self?: unknown } = {};
    args.self = args;

    expect(isWordy(args)).toBe(false);
  });

  it("is so exactly of texts of sixty characters with a space between them", () => {
    const property = fc.property(fc.string({ maxLength: 120 }), (text) => {
      expect(isWordy({ text })).toBe(text.length >= 60 && text.includes(" "));
    });
    fc.assert(property, { numRuns: propertyRuns() });
  });
});
