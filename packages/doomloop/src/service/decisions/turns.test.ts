import { setImmediate as nextRound } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createTurns } from "./turns.ts";

/** Work of so many steps, each of which takes longer than a turn. */
function* slow(steps: number, onStep: () => void): Generator<void, string> {
  for (let step = 0; step < steps; step++) {
    const start = performance.now();
    while (performance.now() - start < 9);
    onStep();
    yield;
  }
  return "done";
}

describe("turns", () => {
  it("let everything else happen between the steps of long work, however many are at work", async () => {
    const { inSteps } = createTurns();
    let inThisRound = 0;
    let most = 0;
    let isOver = false;
    const all = Promise.all(
      Array.from({ length: 5 }, () => inSteps(slow(3, () => (most = Math.max(most, ++inThisRound))))),
    ).finally(() => (isOver = true));
    while (!isOver) {
      inThisRound = 0;
      await nextRound();
    }

    expect(await all).toEqual(Array(5).fill("done"));
    expect(most).toBe(1);
  });

  it("are for long work only", () => {
    const { work, underWay } = createTurns();
    const steps: number[] = [];

    expect(work("a", [1, 2, 3].map((step) => steps.push(step)).values())).toBeUndefined();
    expect(steps).toHaveLength(3);
    expect(underWay("a")).toBeUndefined();
  });

  it("say whether work is under way for a key, until it goes on", async () => {
    const { work, underWay } = createTurns();
    const order: string[] = [];
    const done = work(
      "a",
      slow(3, () => {}),
    )!.then(() => order.push("work"));
    const waited = underWay("a")!.then(() => order.push("who waits"));
    expect(underWay("b")).toBeUndefined();
    await Promise.all([done, waited]);

    expect(underWay("a")).toBeUndefined();
    expect(order).toEqual(["work", "who waits"]);
  });

  it("are over for work that fails", async () => {
    const { work, underWay } = createTurns();
    let steps = 0;
    const failing = slow(3, () => {
      if (++steps === 2) throw new Error("of the work");
    });

    await expect(work("a", failing)).rejects.toThrow("of the work");
    await underWay("a");
    expect(underWay("a")).toBeUndefined();
  });
});
