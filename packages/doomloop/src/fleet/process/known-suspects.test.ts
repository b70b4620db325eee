import { describe, expect, it } from "vitest";
import { createKnownSuspects } from "./known-suspects.ts";

describe("a suspect that a process knows", () => {
  it("lasts no longer than its counts, however late it is passed on", () => {
    let now = 0;
    const terms = { calls: 10, workers: 2, windowMs: 300_000, confirmMs: 6000 };
    const known = createKnownSuspects(terms, () => now);
    const suspect = { name: "a", tool: "fetch", calls: 12, workers: 2, lastsMs: 290_000 };
    known.set(suspect);
    now = 8000;
    known.heardAll();

    expect(known.deadEnd("a")).toEqual({ ...suspect, lastsMs: 282_000 });
    expect(known.list().map(known.beganAt)).toEqual([-10_000]);
    now = 290_000;
    expect(known.has("a")).toBe(false);
  });
});
