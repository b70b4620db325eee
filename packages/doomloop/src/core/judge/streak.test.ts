import { describe, expect, it } from "vitest";
import { call, failure, newRun, result, step, user } from "../../../../../test/builders.ts";
import type { AgentEvent } from "../event.ts";
import type { RunState } from "../memory/run-state.ts";
import { failuresInRow, streakSinceChange } from "./streak.ts";

const failed = (tool: string, at: number, output = "Error: the server is gone"): AgentEvent[] => [
  call(tool, { at }),
  failure(output),
];

const command = (line: string, output: AgentEvent): AgentEvent[] => [call("bash", { command: line }), output];

function stateAfter(events: readonly AgentEvent[]): RunState {
  const run = newRun();
  for (const event of events) run.take(event);
  return run.state;
}

function weightOf(state: RunState, tool = "run_it"): number | undefined {
  return streakSinceChange(state, failuresInRow(state, tool), 1, () => true)?.weight;
}

describe("failures", () => {
  it("of a tool last until the tool succeeds", () => {
    const events = [...failed("run_it", 1), ...failed("run_it", 2), ...step("read_file", { path: "a" }, "words")];

    expect(failuresInRow(stateAfter(events), "run_it")).toHaveLength(2);
    expect(failuresInRow(stateAfter([...events, ...step("run_it", { at: 3 }, "fine")]), "run_it")).toEqual([]);
  });

  it("across tools last until any of them succeeds", () => {
    const events = [...failed("run_it", 1), ...failed("try_it", 2)];

    expect(failuresInRow(stateAfter(events))).toHaveLength(2);
    expect(failuresInRow(stateAfter([...events, ...step("read_file", { path: "a" }, "words")]))).toEqual([]);
  });

  it("are not ended by a look that shows nothing", () => {
    const events = [...failed("run_it", 1), ...failed("run_it", 2), ...step("bash", { command: "ls" }, "")];

    expect(failuresInRow(stateAfter(events))).toHaveLength(2);
  });

  it("are not those that wait for somebody else, but for the first", () => {
    const locked = [call("run_it"), failure("the index is locked by another")];
    const events = [...failed("run_it", 1), ...locked, ...locked, ...locked, ...failed("run_it", 2)];

    expect(failuresInRow(stateAfter(events), "run_it").map(({ index }) => index)).toEqual([0, 1, 4]);
  });

  it("are the latest that the run remembers, oldest first", () => {
    const events = Array.from({ length: 50 }, (_, at) => failed("run_it", at)).flat();
    const indices = failuresInRow(stateAfter(events), "run_it").map(({ index }) => index);

    expect(indices).toEqual(Array.from({ length: 24 }, (_, at) => 26 + at));
  });

  it("do not reach back over a word of the user", () => {
    const events = [...failed("run_it", 1), ...failed("run_it", 2), user("go on"), ...failed("run_it", 3)];

    expect(failuresInRow(stateAfter(events), "run_it").map(({ index }) => index)).toEqual([2]);
  });

  it.each<[string, AgentEvent[]]>([
    ["a look that shows nothing", command("ls", result("", { error: false }))],
    ["a wait", command("sleep 5", result("", { error: false }))],
    ["another tool", step("read_file", { path: "a.ts" }, "export const a = 1;")],
    ["a refusal", command("ls", result("no", { synthetic: true }))],
    ["a failure without a word", command("grep -q x a", failure(""))],
  ])("of a tool are not ended by %s, and it is none of them", (_what, events) => {
    const before = [1, 2, 3].flatMap((at) => command(`program-${at}`, failure(`program ${at}: bad option`)));

    expect(failuresInRow(stateAfter([...before, ...events]), "bash").map(({ index }) => index)).toEqual([0, 1, 2]);
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
    const kind = state.history.at(-1)!.failure!.kind;
    const streak = streakSinceChange(
      state,
      failuresInRow(state, "run_it"),
      1,
      ({ failure: own }) => own?.kind === kind,
    );

    expect(streak?.weight).toBe(2);
    expect(streak?.steps.map(({ index }) => index)).toEqual([2, 3]);
  });
});
