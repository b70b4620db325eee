import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { errorIn, listIn, numberIn, printableReason, textIn } from "./replies.ts";

describe("what a store says", () => {
  it("is a text as text or as bytes", () => {
    expect(["on", Buffer.from("on"), new Uint8Array([111, 110])].map(textIn)).toEqual(["on", "on", "on"]);
    expect([null, undefined, 7, ["on"], {}].map(textIn)).toEqual(Array(5).fill(undefined));
  });

  it("is a whole number from 0 on, in any form, or none", () => {
    expect([7, 7n, "7", Buffer.from("7"), 0].map(numberIn)).toEqual([7, 7, 7, 7, 0]);
    const none = [
      -1,
      "-2",
      1.5,
      Number.NaN,
      Infinity,
      2 ** 53,
      "",
      " ",
      "1e3",
      "0x10",
      "seven",
      null,
      undefined,
      [],
      {},
    ];
    expect(none.map(numberIn)).toEqual(none.map(() => undefined));
  });

  it("is a list, or an empty one", () => {
    expect([[1], null, "ab", { length: 1 }].map(listIn)).toEqual([[1], [], [], []]);
  });

  it("has a first error, or none", () => {
    const refusal = new Error("NOPERM");

    expect([errorIn([1, refusal, new Error("other")]), errorIn(["OK", null])]).toEqual([refusal, undefined]);
  });

  it("is shown as one short line of plain characters", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (message) => {
        expect(printableReason(new Error(message))).toMatch(/^[ -~]{0,120}$/);
      }),
      { numRuns: propertyRuns() },
    );
  });
});
