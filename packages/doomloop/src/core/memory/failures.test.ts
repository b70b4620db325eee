import { describe, expect, it } from "vitest";
import { call, failure, newRun, result, step } from "../../../../../test/builders.ts";
import type { AgentEvent } from "../event.ts";
import { streakSinceChange } from "./failures.ts";
import type { RunState } from "./run-state.ts";

const failed = (tool: string, at: number, output = "Error: the server is gone"): AgentEvent[] => [
  call(tool, { at }),
  failure(output),
];

function stateAfter(events: readonly AgentEvent[]): RunState {
  const run = newRun();
  for (const event of events) run.take(event);
  return run.state;
}

function weightOf(state: RunState, tool = "run_it"): number | undefined {
  return streakSinceChange(state.world, state.failures.of(tool), 1, () => true)?.weight;
}

describe("failures", () => {
  it("of a tool last until the tool succeeds", () => {
    const events = [...failed("run_it", 1), ...failed("run_it", 2), ...step("read_file", { path: "a" }, "words")];

    expect(stateAfter(events).failures.of("run_it")).toHaveLength(2);
    expect(stateAfter([...events, ...step("run_it", { at: 3 }, "fine")]).failures.of("run_it")).toEqual([]);
  });

  it("across tools last until any of them succeeds", () => {
    const events = [...failed("run_it", 1), ...failed("try_it", 2)];

    expect(stateAfter(events).failures.acrossTools()).toHaveLength(2);
    expect(stateAfter([...events, ...step("read_file", { path: "a" }, "words")]).failures.acrossTools()).toEqual([]);
  });

  it("are not ended by a look that shows nothing", () => {
    const events = [...failed("run_it", 1), ...failed("run_it", 2), ...step("bash", { command: "ls" }, "")];

    expect(stateAfter(events).failures.acrossTools()).toHaveLength(2);
  });

  it("are at most 32", () => {
    const events = Array.from({ length: 50 }, (_, at) => failed("run_it", at)).flat();

    expect(stateAfter(events).failures.of("run_it")).toHaveLength(32);
  });
});

describe("a streak", () => {
  it("weighs its rounds", () => {
    expect(weightOf(stateAfter([...failed("run_it", 1), ...failed("run_it", 2), ...failed("run_it", 3)]))).toBe(3);
  });

  it("of one round weighs nothing, and more of a round a third each", () => {
    const batch = [1, 2, 3].map((at) => call("run_it", { at }, { id: `${at}` }));
    const answers = [1, 2, 3].map((at) => result("Error: gone", { id: `${at}`, error: true }));

    expect(weightOf(stateAfter([...batch, ...answers]))).toBeUndefined();
    expect(weightOf(stateAfter([...batch, ...answers, ...failed("run_it", 4)]))).toBeCloseTo(2 + 2 / 3);
  });

  it("weighs one less where only words tell of failure", () => {
    const read = [1, 2, 3].flatMap((at) => step("run_it", { at }, "Error: the server is gone"));

    expect(weightOf(stateAfter(read))).toBe(2);
  });

  it("begins after the last change of the world", () => {
    const events = [
      ...failed("run_it", 1),
      ...failed("run_it", 2),
      ...step("write_file", { path: "a" }, "ok"),
      ...failed("run_it", 3),
      ...failed("run_it", 4),
    ];

    expect(weightOf(stateAfter(events))).toBe(2);
  });

  it("ends where a failure does not fit", () => {
    const state = stateAfter([
      ...failed("run_it", 1),
      ...failed("run_it", 2, "Error: other"),
      ...failed("run_it", 3),
      ...failed("run_it", 4),
    ]);
    const kind = state.latest!.failure!.kind;

    expect(streakSinceChange(state.world, state.failures.of("run_it"), 1, (step) => step.kind === kind)).toEqual({
      weight: 2,
      indices: [2, 3],
    });
  });
});
