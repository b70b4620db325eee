import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createDeadlines } from "./deadlines.ts";

describe("deadlines", () => {
  it("tell of each call that is not over in time, once", async () => {
    const late: number[] = [];
    const deadlines = createDeadlines(20);
    const calls = [0, 1, 2].map((at) => deadlines.watch(() => late.push(at)));
    calls[1]!.isOver = true;
    await wait(10);
    deadlines.watch(() => late.push(3));
    await wait(100);

    expect(late).toEqual([0, 2, 3]);
    expect(calls[0]!.isOver).toBe(true);
  });

  it("give a busy process the time to read what has arrived", async () => {
    let isLate = false;
    const watched = createDeadlines(20).watch(() => {
      isLate = true;
    });
    // The reply comes while the process is busy, and is read in the turn after.
    const busyUntil = performance.now() + 60;
    while (performance.now() < busyUntil);
    setImmediate(() => {
      watched.isOver = true;
    });
    await wait(60);

    expect(isLate).toBe(false);
  });
});
