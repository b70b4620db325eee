import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createDeadlines } from "./deadlines.ts";

function watching(deadlineMs: number) {
  const late: string[] = [];
  const deadlines = createDeadlines<ReturnType<typeof begin>>(deadlineMs, ({ name }) => late.push(name));
  const begin = (name: string) => ({ name, begunAt: performance.now(), isOver: false });
  const watch = (name: string) => {
    const call = begin(name);
    deadlines.watch(call);
    return call;
  };
  return { late, watch, end: deadlines.end };
}

function timers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
}

describe("deadlines", () => {
  it("tell of each call that is not over in time, once", async () => {
    const { late, watch, end } = watching(20);
    const calls = ["a", "b", "c"].map(watch);
    end(calls[1]!);
    await wait(10);
    watch("d");

    await expect.poll(() => late).toEqual(["a", "c", "d"]);
    expect(calls[0]!.isOver).toBe(true);
  });

  it("tell of the one call that is late behind thousands that are not", async () => {
    const { late, watch, end } = watching(20);
    for (let at = 0; at < 5000; at++) end(watch("answered"));
    const waiting = [watch("late"), ...Array.from({ length: 5000 }, () => watch("answered"))];
    for (const call of waiting.slice(1)) end(call);
    await expect.poll(() => late).not.toEqual([]);
    await wait(40);

    expect(late).toEqual(["late"]);
  });

  it("keep no timer for calls that were answered", () => {
    const { watch, end } = watching(10_000);
    const before = timers();
    const calls = ["a", "b"].map(watch);
    expect(timers()).toBe(before + 1);
    end(calls[1]!);
    expect(timers()).toBe(before + 1);
    end(calls[0]!);
    expect(timers()).toBe(before);
  });

  it("watch again after a time without calls", async () => {
    const { late, watch, end } = watching(20);
    end(watch("a"));
    watch("b");
    await expect.poll(() => late).not.toEqual([]);

    expect(late).toEqual(["b"]);
  });

  it("give a busy process the time to read what has arrived", async () => {
    const { late, watch, end } = watching(20);
    const call = watch("a");
    // The reply comes while the process is busy, and is read in the turn after.
    const busyUntil = performance.now() + 60;
    while (performance.now() < busyUntil);
    setImmediate(() => end(call));
    await wait(60);

    expect(late).toEqual([]);
  });
});
