import { describe, expect, it } from "vitest";
import { call, newRun } from "../../../../../test/builders.ts";
import { isDigest } from "../identity/digest.ts";
import { isRetry, keptId, MAX_OPEN, refuseCall, settleIds, takeCall } from "./open-calls.ts";
import type { RunMemory } from "./run-memory.ts";

/** A run in which these calls are open, by their ids. */
function open(...ids: (string | undefined)[]): RunMemory {
  const run = newRun({ hasResults: true });
  for (const [at, id] of ids.entries()) run.take(call("read_file", { path: `${at}` }, { id }));
  return run.memory;
}

describe("takeCall", () => {
  it("takes the latest open call with an id, and without one the oldest", () => {
    expect(takeCall(open("a", "b", "a"), "a")?.call.index).toBe(2);
    expect(takeCall(open("a", "b"), undefined)?.call.index).toBe(0);
    expect(takeCall(open("a"), "c")).toBeUndefined();
    expect(takeCall(open(), undefined)).toBeUndefined();
  });

  it("takes a refused call last", () => {
    const run = open(undefined, undefined);
    refuseCall(run, run.open[0]!);

    expect([takeCall(run, undefined), takeCall(run, undefined)]).toMatchObject([
      { call: { index: 1 }, isRefused: false },
      { call: { index: 0 }, isRefused: true },
    ]);
  });

  it("knows ids again after they were settled", () => {
    const run = open("a", "b".repeat(500));
    settleIds(run);

    expect(run.open.every(({ id }) => isDigest(id))).toBe(true);
    expect(takeCall(run, keptId("b".repeat(500)))?.call.index).toBe(1);
    expect(takeCall(run, keptId("a"))?.call.index).toBe(0);
  });

  it("forgets the oldest where too many are open", () => {
    const run = open(...Array.from({ length: MAX_OPEN + 10 }, (_, at) => `${at}`));

    expect(run.open).toHaveLength(MAX_OPEN);
    expect(takeCall(run, "0")).toBeUndefined();
  });
});

describe("isRetry", () => {
  it("is true for the same call under the id of an open one", () => {
    const run = open("a");
    const own = run.open[0]!.call.call;

    expect([
      isRetry(run, "a", own),
      isRetry(run, "b", own),
      isRetry(run, undefined, own),
      isRetry(run, "a", 0),
    ]).toEqual([true, false, false, false]);
  });
});

describe("keptId", () => {
  it("is the id, or a digest of a long one, and nothing for what is none", () => {
    expect(keptId("call_1")).toBe("call_1");
    expect(isDigest(keptId("x".repeat(65)))).toBe(true);
    expect(keptId(`${"x".repeat(1_000_000)}a`)).not.toBe(keptId(`${"x".repeat(1_000_000)}b`));
    expect([keptId(""), keptId(undefined), keptId(7)]).toEqual([undefined, undefined, undefined]);
  });
});
