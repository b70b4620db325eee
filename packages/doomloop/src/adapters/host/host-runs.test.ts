import { createGuard } from "doomloop";
import { describe, expect, it } from "vitest";
import type { HostRun } from "./host-run.ts";
import { createHostRuns } from "./host-runs.ts";

const ABILITIES = { nudge: "result", block: true, stop: "clean" } as const;

/** Whether the run has something to say after so many laps. */
function speaks(run: HostRun, laps: number): boolean {
  let words: string | undefined;
  for (let at = 0; at < laps; at++) {
    run.round();
    const { id } = run.call({ tool: "read_file", args: { path: "a.ts" } });
    words = run.result({ id, output: "text" });
  }
  return words !== undefined;
}

describe("the runs of a host", () => {
  it("have a guard each", () => {
    const runs = createHostRuns({}, ABILITIES);

    expect([runs.start(), runs.start(), runs.of("a"), runs.of("b"), runs.of({})].map((run) => speaks(run, 2))).toEqual(
      Array(5).fill(false),
    );
    expect(speaks(runs.of("a"), 1)).toBe(true);
  });

  it("are found again by their key, be it a text or an object", () => {
    const runs = createHostRuns({}, ABILITIES);
    const thread = {};

    expect(runs.of("a")).toBe(runs.of("a"));
    expect(runs.of(thread)).toBe(runs.of(thread));
    expect(runs.of({})).not.toBe(runs.of({}));
  });

  it("are forgotten when they end", () => {
    const runs = createHostRuns({}, ABILITIES);
    const thread = {};
    const [text, object] = [runs.of("a"), runs.of(thread)];
    runs.end("a");
    runs.end(thread);

    expect(runs.of("a")).not.toBe(text);
    expect(runs.of(thread)).not.toBe(object);
  });

  it("are at most a thousand: the one that was used least recently is forgotten", () => {
    const runs = createHostRuns({}, ABILITIES);
    const [first, second] = [runs.of("0"), runs.of("1")];
    for (let at = 2; at < 1000; at++) runs.of(String(at));
    runs.of("0");
    runs.of("1000");

    expect(runs.of("0")).toBe(first);
    expect(runs.of("1")).not.toBe(second);
  });

  it("tell the end of a run with its key", () => {
    const keys: unknown[] = [];
    const runs = createHostRuns({ ladder: ["stop"], onStop: ({ run }) => void keys.push(run) }, ABILITIES);
    speaks(runs.of("thread-1"), 3);

    expect(keys).toEqual(["thread-1"]);
  });

  it("share a guard that was passed in", () => {
    const runs = createHostRuns({ guard: createGuard() }, ABILITIES);
    speaks(runs.start(), 2);

    expect(speaks(runs.start(), 1)).toBe(true);
  });

  it("refuse options that make no sense at once", () => {
    expect(() => createHostRuns({ ladder: [] }, ABILITIES)).toThrow("ladder: at least one rung is required, got none");
  });

  it("go unwatched if no guard can be made any more, and say so once", () => {
    const faults: unknown[] = [];
    const ladder: "nudge"[] = ["nudge"];
    const runs = createHostRuns({ ladder, onFault: (fault) => void faults.push(fault) }, ABILITIES);
    runs.start();
    ladder.length = 0;

    expect([runs.start(), runs.start()].map((run) => speaks(run, 9))).toEqual([false, false]);
    expect(faults).toHaveLength(1);
  });
});
