import { describe, expect, it } from "vitest";
import { runName } from "../../../packages/doomloop/src/fleet/redis/fingerprint-names.ts";
import { createLedger } from "./ledger.ts";

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
      { name: "a", call: call("one", "1") },
      { name: "a", call: call("two", "1") },
    ];

    expect(ledger().audit(stored)).toEqual({ reported: 3, stored: 2, overCount: 0 });
  });

  it.each([
    {
      title: "a call twice",
      stored: [
        { name: "a", call: call("one", "1") },
        { name: "a", call: call("one", "1") },
      ],
    },
    { title: "a call that nobody made", stored: [{ name: "a", call: call("one", "9") }] },
    { title: "a call of somebody else", stored: [{ name: "a", call: call("three", "1") }] },
    {
      title: "two fingerprints as one",
      stored: [
        { name: "a", call: call("one", "1") },
        { name: "a", call: call("two", "2") },
      ],
    },
    {
      title: "one fingerprint as two",
      stored: [
        { name: "a", call: call("one", "1") },
        { name: "b", call: call("two", "1") },
      ],
    },
  ])("sees that a store counts too much: $title", ({ stored }) => {
    expect(ledger().audit(stored).overCount).toBe(1);
  });
});
