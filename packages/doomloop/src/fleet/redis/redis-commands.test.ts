import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { errorIn, listIn, numberIn, printableReason, textIn } from "./redis-commands.ts";

describe("a reply of a store", () => {
  it("is read as text from a string or from bytes", () => {
    expect(["on", Buffer.from("on"), new Uint8Array([111, 110])].map(textIn)).toEqual(["on", "on", "on"]);
    expect([null, undefined, 7, ["on"], {}].map(textIn)).toEqual(Array(5).fill(undefined));
  });

  it("is read as a whole number in any form, or as undefined", () => {
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

  it("is read as a list, which is empty for anything else", () => {
    expect([[1], null, "ab", { length: 1 }].map(listIn)).toEqual([[1], [], [], []]);
  });

  it("may contain an error, of which the first is found", () => {
    const refusal = new Error("NOPERM");

    expect([errorIn([1, refusal, new Error("other")]), errorIn(["OK", null])]).toEqual([refusal, undefined]);
  });

  it("is shown as one short line of plain ASCII", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (message) => {
        expect(printableReason(new Error(message))).toMatch(/^[ -~]{0,120}$/);
      }),
      { numRuns: propertyRuns() },
    );
  });
});
