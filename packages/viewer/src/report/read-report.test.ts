import { describe, expect, it } from "vitest";
import { readReport } from "./read-report.ts";

describe("the report of the page", () => {
  it.each([
    ["", /no report yet/],
    ["{", /not JSON/],
    ["null", /damaged/],
    ["7", /damaged/],
    ['{"version":2}', /version/],
    ['{"version":1,"loops":[]}', /missing/],
    ['{"version":1,"loops":[],"sessions":[],"runs":[],"totals":{}}', /missing/],
  ])("%j is refused in plain words", (text, words) => {
    expect(readReport(text)).toEqual({ fault: expect.stringMatching(words) });
  });

  it("is read where it is whole", () => {
    const text = '{"version":1,"loops":[],"sessions":[],"runs":{},"totals":{}}';
    expect(readReport(text)).toEqual({ report: JSON.parse(text) });
  });
});
