import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { packNumbers, unpackNumbers } from "./packed-numbers.ts";

describe("packNumbers", () => {
  it("needs eight characters for three numbers", () => {
    expect(packNumbers(new Uint16Array(2048))).toHaveLength(5462);
  });

  it("writes nothing for no numbers", () => {
    expect(packNumbers(new Uint16Array())).toBe("");
    expect(unpackNumbers("")).toEqual(new Uint16Array());
  });

  it("is undone by unpackNumbers and needs no escape in JSON", () => {
    const property = fc.property(fc.uint16Array(), (numbers) => {
      const text = packNumbers(numbers);

      expect(unpackNumbers(text)).toEqual(numbers);
      expect(JSON.stringify(text)).toHaveLength(text.length + 2);
    });
    fc.assert(property, { numRuns: propertyRuns() });
  });
});

describe("unpackNumbers", () => {
  it.each([["A"], ["AA"], ["AAAA"], ["AA!"], ["AAB"], ["AA="], ["AA "], ["ÄÄÄ"]])("refuses %j", (text) => {
    expect(unpackNumbers(text)).toBeUndefined();
  });

  it.each([[undefined], [null], [7], [["AAA"]], [{}]])("refuses %j, which is no text", (value) => {
    expect(unpackNumbers(value)).toBeUndefined();
  });

  it("accepts only what packNumbers writes", () => {
    const property = fc.property(fc.string(), (text) => {
      const numbers = unpackNumbers(text);

      if (numbers) expect(packNumbers(numbers)).toBe(text);
    });
    fc.assert(property, { numRuns: propertyRuns() });
  });
});
