import { describe, expect, it } from "vitest";
import {
  call,
  failure,
  newRun,
  type RunSettings,
  result,
  round,
  step,
  times,
  user,
} from "../../../../../test/builders.ts";
import type { AgentEvent } from "../event.ts";
import type { ToolRule } from "../policy/tool-rules.ts";
import { resolveProgress } from "../progress/progress-options.ts";
import { isProvenBarren, wouldBeBarren } from "./judge-step.ts";

/** What is known of a call that is made after some events, before it runs. */
function asked(before: readonly AgentEvent[], next: AgentEvent, rule: ToolRule = {}, settings: RunSettings = {}) {
  const run = newRun({ ...settings, progress: { seesResults: true, ...settings.progress } });
  for (const event of before) run.take(event);
  const moved = run.take(next);
  if (moved.kind !== "call") throw new Error("no call");
  const judgement = { progress: resolveProgress(settings.progress), rule, countsTests: false };
  return {
    isProven: isProvenBarren(run.state, moved.call, judgement),
    isBarren: wouldBeBarren(run.state, moved.call, judgement),
  };
}

const LONG = `a record of more than a hundred characters, ${"which nobody gives twice word for word ".repeat(2)}`;
const read = step("read_file", { path: "a.ts" }, "export const a = 1;");
const order = (output: string) => step("get_order", { id: 7 }, output);
const failed = [call("get_order", { id: 7 }), failure("no such order")];
const edit = step("edit", { path: "b.ts", text: "x" }, "edited");

describe("a call that is about to be made", () => {
  it.each<[string, AgentEvent[], AgentEvent]>([
    ["has failed, once", failed, failed[0]!],
    ["has come back with the same file", times(2, read), read[0]!],
    ["has come back with the same long answer", times(2, order(LONG)), order(LONG)[0]!],
  ])("is proven barren if it %s", (_what, before, next) => {
    expect(asked(before, next)).toEqual({ isProven: true, isBarren: true });
  });

  it.each<[string, AgentEvent[]]>([
    ["has come back once, and may yet tell something else", order(LONG)],
    ["says little, and nobody has a clock", times(4, order("none"))],
    [
      "comes back with another time in it",
      ["10:00:01", "10:00:02", "10:00:03"].flatMap((at) => order(`${LONG} ${at}`)),
    ],
    ["says that a job goes on", times(3, order("status: running"))],
    ["failed because somebody was busy", times(2, [failed[0]!, failure("database is locked")])],
  ])("is barren if it is made again, but not proven so, if it %s", (_what, before) => {
    expect(asked(before, failed[0]!)).toEqual({ isProven: false, isBarren: true });
  });

  it.each<[string, AgentEvent[]]>([
    ["it was never made", read],
    ["something was changed since", [...times(2, failed), ...edit]],
    ["the user spoke since", [...times(2, failed), user("go on")]],
    ["it is asked together with its equal", [round, ...failed]],
    ["something was learned since", [...times(2, order(LONG)), ...read]],
  ])("is neither if %s", (_what, before) => {
    expect(asked(before, call("get_order", { id: 7 }))).toEqual({ isProven: false, isBarren: false });
  });

  it.each<[string, AgentEvent[], AgentEvent, ToolRule]>([
    ["a rule lets it poll", times(3, order("none")), order("none")[0]!, { poll: true }],
    ["it sleeps", times(3, step("wait", { seconds: 5 }, "waited")), call("wait", { seconds: 5 }), {}],
    ["one before it slept", [...times(3, order("none")), ...step("wait", { seconds: 5 }, "")], order("none")[0]!, {}],
  ])("is not taken for barren while it may wait: %s", (_what, before, next, rule) => {
    expect(asked(before, next, rule).isBarren).toBe(false);
  });

  it("is not taken for barren after a pause", () => {
    const look = (at: number) => [call("get_order", { id: 7 }, { at }), result("none", { at: at + 1 })];
    const before = [0, 1000, 2000].flatMap(look);

    expect(asked(before, call("get_order", { id: 7 }, { at: 3000 })).isBarren).toBe(true);
    expect(asked(before, call("get_order", { id: 7 }, { at: 30_000 })).isBarren).toBe(false);
  });

  it("is barren in another form, too, where that means the same", () => {
    expect(asked(times(2, read), call("view", { file_path: "./a.ts" }))).toEqual({ isProven: false, isBarren: true });
  });
});

describe("a step", () => {
  const latest = (events: readonly AgentEvent[]) => {
    const run = newRun();
    for (const event of events) run.take(event);
    return run.state.latest!;
  };

  it("is proof where it comes back to the letter, and would show it if anything had happened", () => {
    expect([1, 2, 3].map((count) => latest(times(count, read)).isProof)).toEqual([false, true, true]);
    expect(latest(times(3, order("none"))).isProof).toBe(false);
    expect(latest(times(2, failed)).isProof).toBe(true);
  });

  it("is no proof where something new was tried in between", () => {
    expect(latest([...times(2, failed), ...step("get_order", { id: 8 }, "none"), ...failed]).isProof).toBe(false);
    expect(latest([...times(2, failed), ...step("get_order", { id: 8 }, "none"), ...times(2, failed)]).isProof).toBe(
      true,
    );
  });
});
