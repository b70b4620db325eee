import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGuard } from "doomloop";
import { afterAll, describe, expect, it } from "vitest";
import { readLabels } from "../../bench/quality/data.ts";
import { judgeSource, OURS } from "../../bench/quality/judge-run.ts";
import { measure } from "../../bench/quality/measure.ts";
import { bootstrap, scoreWindow, tally } from "../../bench/quality/windows.ts";
import { step, times } from "../builders.ts";

const folder = mkdtempSync(join(tmpdir(), "doomloop-windows-"));
afterAll(() => rmSync(folder, { recursive: true }));
const write = (name: string, ...lines: object[]): string => {
  writeFileSync(join(folder, name), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return join(folder, name);
};

const label = (more: object = {}) => ({ run: "a", window: [10, 20], verdict: "progress", ...more });
const loop = (more: object = {}) => label({ verdict: "loop", onset: 12, interrupt: 13, end: 15, ...more });
const scored = (line: object, spokeAt: readonly number[]) =>
  scoreWindow(readLabels([write("labels.jsonl", line)]).windows[0]!, spokeAt);

describe("a labelled window", () => {
  it.each([
    ["a hit at its onset", loop(), [12], "hit"],
    ["a hit at the call after its end", loop(), [16], "hit"],
    ["a miss before its onset", loop(), [11], "miss"],
    ["a miss two calls after its end", loop(), [17], "miss"],
    ["a miss after its end, outside the window", loop({ end: 19 }), [20], "miss"],
    ["a hit where a stall was seen", loop({ verdict: "stalled" }), [14], "hit"],
    ["a hit anywhere without an onset", label({ verdict: "loop" }), [10], "hit"],
    ["a false alarm at its first call", label(), [10], "false alarm"],
    ["a false alarm at its last call", label(), [19], "false alarm"],
    ["quiet before and after it", label(), [9, 20], "quiet"],
  ])("is %s", (_title, line, spokeAt, verdict) => {
    expect(scored(line, spokeAt).verdict).toBe(verdict);
  });

  it("has its delay counted from the call before which to step in, to the first hit", () => {
    expect(scored(loop(), [3, 11, 15, 16]).delay).toBe(2);
    expect(scored(loop({ interrupt: null }), [12]).delay).toBeUndefined();
  });

  it("is left out where the judges differ, and refused where it is none", () => {
    const { windows, disputed } = readLabels([write("labels.jsonl", loop({ verdict: "disputed" }), loop())]);

    expect({ windows: windows.length, disputed }).toEqual({ windows: 1, disputed: 1 });
    expect(() => readLabels([write("labels.jsonl", loop(), { run: "a" })])).toThrow("labels, line 2");
  });
});

describe("the score", () => {
  it("is made of hits, misses and false alarms", () => {
    const { precision, recall, f1, ...counts } = tally([
      ...[[12], [15], [], [17]].map((spokeAt) => scored(loop(), spokeAt)),
      ...[[12], []].map((spokeAt) => scored(label(), spokeAt)),
    ]);

    expect({ precision, recall }).toEqual({ precision: 2 / 3, recall: 0.5 });
    expect(f1).toBeCloseTo(4 / 7);
    expect(counts).toEqual({ medianDelay: 0.5, hits: 2, misses: 2, falseAlarms: 1, quiet: 1 });
  });

  it("has intervals that hold it, wider where windows of one task are drawn together", () => {
    const mixed = Array.from({ length: 40 }, (_, at) => scored(loop({ run: `${at}` }), at < 30 ? [12] : []));
    const { low, high } = bootstrap(mixed, (run) => run).recall;
    const byTask = bootstrap(mixed, (run) => `${Math.floor(Number(run) / 10)}`).recall;

    expect([low > 0.5, low < 0.75, high > 0.75, high < 1]).toEqual([true, true, true, true]);
    expect(byTask.high - byTask.low).toBeGreaterThan(high - low);
  });
});

describe("a folder of traces", () => {
  /** Goes on until a guard ends it. */
  const circling = times(40, step("read", { path: "a" }, "no such file", { error: true }));
  const fine = [...step("get_page", { id: 1 }, "a page"), ...step("write", { id: 2 }, "done")];
  const looping = { run: "one/loop", task: "t", outcome: "failure", events: circling };
  const disturbed = { run: "one/disturbed", task: "u", outcome: "success", events: [null, ...circling] };
  const working = { run: "one/fine", task: "t", outcome: "success", events: fine };
  const replay = (more: object = {}) =>
    judgeSource(
      {
        ...{ path: write("one.jsonl", looping, working, disturbed), kind: "recorded", preset: "balanced" },
        ...more,
      } as never,
      createGuard,
    );

  it("is replayed run by run, and comes to figures over windows, successes and calls", async () => {
    const source = await replay();
    const labels = readLabels([
      write(
        "labels.jsonl",
        label({ run: "one/loop", window: [0, 8], verdict: "loop", onset: 1, interrupt: 2, end: 7 }),
        label({ run: "one/fine", window: [0, 2] }),
      ),
    ]);

    const { detectors, sources, successes } = measure([source], labels);

    expect(source).toMatchObject({ source: "one", skipped: 1, faults: 0 });
    expect(source.runs[0]).toMatchObject({ calls: 40, hasResults: true, isBlocked: true, isStopped: true });
    expect(detectors[0]).toMatchObject({ name: OURS, score: { precision: 1, recall: 1, quiet: 1 } });
    expect(successes).toEqual({ runs: 2, nudged: 0.5, blocked: 0.5, stopped: 0.5 });
    expect(sources[0]).toMatchObject({ source: "one", calls: 82, windows: 2, loops: 1 });
    expect(() => measure([], labels)).toThrow("2 of 2 labels are of runs that are in no trace file");
  });

  it("is put before another detector, which is not told how a run ended", async () => {
    const detector = join(folder, "mine.mjs");
    writeFileSync(detector, "export const detect = (run) => ('outcome' in run ? [] : [run.events.length, 2, 2]);");

    expect((await replay({ detector })).runs[1]!.spokeAt.mine).toEqual([2, 4]);
  });
});
