import { describe, expect, it } from "vitest";
import { countText, travellingName } from "./count-call.ts";
import { addCall, emptyCalls } from "./pending-calls.ts";

describe("what the store is told of calls", () => {
  it("has fields and fingerprints that no worker's name can make more of", () => {
    const pending = emptyCalls("page", "fetch", 10, 0);
    addCall(pending, travellingName("one\u001fa b\u001f\u001e0"), "barren", "call");
    const text = countText([pending, pending], 30, () => undefined);

    expect(text.split("\u001e").map((each) => each.split("\u001f").length)).toEqual([8, 8, 1]);
  });

  it("has an age that is never too young", () => {
    const pending = emptyCalls("page", "fetch", 10.9, 0);

    expect(countText([pending], 30, () => undefined).split("\u001f")[0]).toBe("20");
  });
});
