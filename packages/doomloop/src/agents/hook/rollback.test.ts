import { describe, expect, it } from "vitest";
import type { Finding, LoopStop } from "../../index.ts";
import {
  type Rollback,
  type RollbackFollowUp,
  type RollbackMoment,
  rollbackAfter,
  withCheckpoint,
} from "./rollback.ts";

const POINT = { root: "/work", checkpoint: "c0" };
const NOTHING: RollbackMoment = {
  at: 0,
  prompt: undefined,
  stop: undefined,
  loop: undefined,
  call: undefined,
  check: undefined,
  writing: undefined,
  hasOpenCalls: false,
};

/** A run whose checkpoints are made at once, and named in order. */
function runOf() {
  let rollback: Rollback | undefined = { prompt: 0, point: POINT };
  let made = 0;
  const tell = (moment: Partial<RollbackMoment>): RollbackFollowUp | undefined => {
    const { followUp, next } = rollbackAfter(rollback, { ...NOTHING, ...moment });
    rollback = next;
    return followUp;
  };
  return {
    tell,
    keep(followUp: RollbackFollowUp | undefined) {
      if (followUp?.type !== "checkpoint") return;
      rollback = withCheckpoint(rollback!, followUp, { root: "/work", checkpoint: `c${++made}` });
    },
    rollback: () => rollback!,
  };
}

const failed = (at: number, more: Partial<RollbackMoment> = {}): Partial<RollbackMoment> => ({
  at,
  call: "npm test",
  check: { verdict: "failed", failure: "3 failed" },
  writing: "ends",
  ...more,
});
const confirmed = (at: number): Partial<RollbackMoment> => ({ at, call: "npm test", check: { verdict: "confirmed" } });
const finding = { kind: "repeated-call", loop: "l1" } as Finding;
const restart = { action: "restart", finding, findings: [finding] } as unknown as LoopStop;

describe("the point to which a run goes back", () => {
  it("is where its check first failed the way it fails now", () => {
    const run = runOf();
    run.keep(run.tell(failed(1_000)));
    expect(run.tell(failed(20_000))).toBeUndefined();
    run.keep(run.tell(failed(30_000, { loop: "l1" })));

    expect(run.tell({ at: 40_000, stop: restart })).toMatchObject({
      type: "restore",
      told: "c2",
      failing: { call: "npm test", at: 1_000, checkpoint: "c1" },
    });
    expect(run.rollback()).toEqual({ prompt: 0 });
  });

  it("is gone when a check passes, or when it fails in another way", () => {
    for (const news of [confirmed(2_000), failed(2_000, { check: { verdict: "failed", failure: "1 failed" } })]) {
      const run = runOf();
      run.keep(run.tell(failed(1_000)));
      run.tell(news);

      expect(run.rollback().failing).toEqual([]);
    }
  });

  it.each([
    ["ten edits in half an hour", 10, 1_800_000, true],
    ["more edits", 11, 1_000, false],
    ["a longer time", 1, 1_800_001, false],
  ])("is there or not after %s", (_, edits, afterMs, isThere) => {
    const run = runOf();
    run.keep(run.tell(failed(0)));
    for (let at = 0; at < edits; at++) {
      run.tell({ at, call: "edit", writing: "begins" });
      run.tell({ at, call: "edit", writing: "ends" });
      run.tell({ at, call: "npm test", writing: "begins" });
      run.tell(failed(at));
    }
    run.keep(run.tell(failed(900, { loop: "l1" })));
    const followUp = run.tell({ at: afterMs, stop: restart });

    expect(followUp?.type === "restore" && followUp.failing !== undefined).toBe(isThere);
  });

  it("is none where another call loops than the check", () => {
    const run = runOf();
    run.keep(run.tell(failed(1_000)));
    run.keep(run.tell({ at: 2_000, call: "git push", loop: "l1" }));

    expect(run.tell({ at: 3_000, stop: restart })).toMatchObject({ told: "c2", failing: undefined });
  });

  it("is not kept while other calls may be writing", () => {
    expect(runOf().tell(failed(1_000, { hasOpenCalls: true }))).toBeUndefined();
  });

  it("is kept at most every ten seconds", () => {
    const run = runOf();
    run.keep(run.tell(failed(1_000)));
    expect(run.tell(failed(5_000, { call: "tsc" }))).toBeUndefined();
    expect(run.tell(failed(11_000, { call: "tsc" }))).toMatchObject({ reason: { type: "failing", call: "tsc" } });
  });

  it("is not used if the next call began before its checkpoint was made", () => {
    const run = runOf();
    const late = run.tell(failed(1_000));
    run.tell({ at: 1_500, writing: "begins" });
    run.keep(late);

    expect(run.rollback().failing).toBeUndefined();
  });

  it("is not used if the user has spoken meanwhile", () => {
    const run = runOf();
    const late = run.tell(failed(1_000));
    run.tell({ at: 1_500, prompt: 1_500 });
    run.keep(late);

    expect(run.rollback()).toEqual({ prompt: 1_500 });
  });
});

describe("the windows in which a run may have written", () => {
  it("are those between a call and its result", () => {
    const run = runOf();
    for (const from of [10, 30]) {
      run.tell({ at: from, writing: "begins" });
      run.tell({ at: from + 5, writing: "ends" });
    }

    expect(run.rollback().windows).toEqual([
      [10, 15],
      [30, 35],
    ]);
  });

  it("last until the latest result where calls run at the same time", () => {
    const run = runOf();
    for (const at of [10, 11]) run.tell({ at, writing: "begins" });
    for (const at of [20, 40]) run.tell({ at, writing: "ends" });

    expect(run.rollback().windows).toEqual([[10, 40]]);
  });

  it("are bounded", () => {
    const run = runOf();
    for (let at = 0; at < 2_000; at += 2) {
      run.tell({ at, writing: "begins" });
      run.tell({ at: at + 1, writing: "ends" });
    }

    expect(run.rollback().windows).toHaveLength(256);
    expect(run.rollback().windows?.at(-1)).toEqual([1_998, 1_999]);
  });
});
