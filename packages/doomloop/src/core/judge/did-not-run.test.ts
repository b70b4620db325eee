import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { call, decisionsOf, failure, times } from "../../../../../test/builders.ts";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { didNotRun } from "./did-not-run.ts";

const CANCELLED = [
  "<tool_use_error>Sibling tool call errored</tool_use_error>",
  "Tool call was cancelled",
  "The tool execution has been aborted by the user.",
  "tool calls were skipped",
  "Tool use interrupted",
  "Error: cancelled",
  "[Skipped] another call failed first",
  "Request was aborted.",
  "This call never started.",
];

describe("didNotRun", () => {
  it.each(CANCELLED)("is what a failing result says with %j", (text) => {
    expect(didNotRun(text, true)).toBe(true);
  });

  it.each(CANCELLED)("is not what a result says that does not fail: %j", (text) => {
    expect(didNotRun(text, false)).toBe(false);
  });

  it.each([
    "no such file",
    "Order 7 was cancelled",
    "The customer aborted the payment",
    "1 failed, 2 skipped",
    "the tool box is empty",
    "",
  ])("is not what a failing result says with %j", (text) => {
    expect(didNotRun(text, true)).toBe(false);
  });

  it.each(["Aborted (core dumped)", "Error: the dev server never started within 30 s"])(
    "is not what a program says that ran and failed: %j",
    (text) => {
      expect(didNotRun(text, true)).toBe(false);
    },
  );

  it("is read in a result of up to three hundred characters", () => {
    const text = (length: number) => "Tool call was cancelled".padEnd(length, ".");

    expect([300, 301].map((length) => didNotRun(text(length), true))).toEqual([true, false]);
  });

  it("is never read in what succeeded, or in a long result", () => {
    const property = fc.property(fc.constantFrom(...CANCELLED), fc.nat(600), fc.boolean(), (words, more, isFailing) => {
      const text = `${words}${"x".repeat(more)}`;
      if (!isFailing || text.length > 300) expect(didNotRun(text, isFailing)).toBe(false);
    });
    fc.assert(property, { numRuns: propertyRuns() });
  });

  it("keeps a batch that is cancelled and sent again from being a loop, and no failing call", () => {
    const batch = (output: string) => times(6, [call("get_order", { id: 7 }), failure(output)]);

    expect(decisionsOf(batch("Tool call was cancelled"))).toEqual([]);
    expect(decisionsOf(batch("The order was not found"))).not.toEqual([]);
  });
});
