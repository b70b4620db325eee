import { describe, expect, it } from "vitest";
import { runName } from "../../../packages/doomloop/src/fleet/redis/fingerprint-names.ts";
import { createLedger } from "./ledger.ts";

const epoch = "first";
const call = (worker: string, id: string) => `${runName({ worker, run: "" })}${id}`;

function ledger() {
  const kept = createLedger();
  kept.note("one", "1", "page");
  kept.note("one", "1", "page");
  kept.note("two", "1", "page");
  kept.note("two", "2", "other page");
  return kept;
}

describe("a ledger", () => {
  it("finds nothing wrong with a store that has each call once, or has lost some", () => {
    const stored = [
      { epoch, name: "a", call: call("one", "1") },
      { epoch, name: "a", call: call("two", "1") },
    ];

    expect(ledger().audit(stored)).toEqual({ reported: 3, stored: 2, overCount: 0 });
  });

  it("lets a call be counted again after the store was cleared", () => {
    const stored = ["first", "second"].map((each) => ({ epoch: each, name: "a", call: call("one", "1") }));

    expect(ledger().audit(stored)).toEqual({ reported: 3, stored: 1, overCount: 0 });
  });

  it.each([
    {
      title: "a call twice",
      stored: [
        { epoch, name: "a", call: call("one", "1") },
        { epoch, name: "a", call: call("one", "1") },
      ],
    },
    { title: "a call that nobody made", stored: [{ epoch, name: "a", call: call("one", "9") }] },
    { title: "a call of somebody else", stored: [{ epoch, name: "a", call: call("three", "1") }] },
    {
      title: "two fingerprints as one",
      stored: [
        { epoch, name: "a", call: call("one", "1") },
        { epoch, name: "a", call: call("two", "2") },
      ],
    },
    {
      title: "one fingerprint as two",
      stored: [
        { epoch, name: "a", call: call("one", "1") },
        { epoch, name: "b", call: call("two", "1") },
      ],
    },
  ])("sees that a store counts too much: $title", ({ stored }) => {
    expect(ledger().audit(stored).overCount).toBe(1);
  });
});
