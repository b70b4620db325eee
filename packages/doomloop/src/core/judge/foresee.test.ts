import { describe, expect, it } from "vitest";
import { call, failure, newRun, result, round, step, takeCall, times, user } from "../../../../../test/builders.ts";
import type { AgentEvent } from "../event.ts";
import { resolveProgress } from "../progress/progress-options.ts";
import type { ToolRule } from "../tool-rule.ts";
import { type Prospect, prospectOf } from "./foresee.ts";

/** What a call that is made after some events can come to, as far as that is known before it runs. */
function asked(before: readonly AgentEvent[], next: AgentEvent, rule: ToolRule = {}): Prospect {
  const run = newRun({ progress: { seesResults: true } });
  for (const event of before) run.take(event);
  return prospectOf(run.state, takeCall(run, next), { progress: resolveProgress(), rule });
}

const LONG = `a record of more than a hundred characters, ${"which nobody gives twice word for word ".repeat(2)}`;
const read = step("read_file", { path: "a.ts" }, "export const a = 1;");
const order = (output: string) => step("get_order", { id: 7 }, output);
const failed = [call("get_order", { id: 7 }), failure("no such order")];
const edit = step("edit", { path: "b.ts", text: "x" }, "edited");

describe("prospectOf", () => {
  it.each<[string, AgentEvent[], AgentEvent]>([
    ["has failed, once", failed, failed[0]!],
    ["has come back with the same file", times(2, read), read[0]!],
    ["has come back with the same long answer", times(2, order(LONG)), order(LONG)[0]!],
  ])("is proven barren if it %s", (_what, before, next) => {
    expect(asked(before, next)).toBe("proven");
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
    expect(asked(before, failed[0]!)).toBe("barren");
  });

  it.each<[string, AgentEvent[]]>([
    ["it was never made", read],
    ["something was changed since", [...times(2, failed), ...edit]],
    ["the user spoke since", [...times(2, failed), user("go on")]],
    ["it is asked together with its equal", [round, ...failed]],
    ["something was learned since", [...times(2, order(LONG)), ...read]],
  ])("is open if %s", (_what, before) => {
    expect(asked(before, call("get_order", { id: 7 }))).toBe("open");
  });

  it.each<[string, AgentEvent[], AgentEvent, ToolRule]>([
    ["a rule lets it poll", times(3, order("none")), order("none")[0]!, { poll: true }],
    ["it sleeps", times(3, step("wait", { seconds: 5 }, "waited")), call("wait", { seconds: 5 }), {}],
    ["one before it slept", [...times(3, order("none")), ...step("wait", { seconds: 5 }, "")], order("none")[0]!, {}],
  ])("is open while it may wait: %s", (_what, before, next, rule) => {
    expect(asked(before, next, rule)).toBe("open");
  });

  it("is open after a pause", () => {
    const look = (at: number) => [call("get_order", { id: 7 }, { at }), result("none", { at: at + 1 })];
    const before = [0, 1000, 2000].flatMap(look);

    expect(asked(before, call("get_order", { id: 7 }, { at: 3000 }))).toBe("proven");
    expect(asked(before, call("get_order", { id: 7 }, { at: 30_000 }))).toBe("open");
  });

  it("is barren, not proven, where the call came back with something else, too", () => {
    const other = [failed[0]!, failure("the order is locked by another")];

    expect(asked([...failed, ...other, ...failed], failed[0]!)).toBe("barren");
    expect(asked([...failed, ...other, ...edit, ...times(2, failed)], failed[0]!)).toBe("proven");
  });

  it("is barren in another form, too, where that means the same", () => {
    expect(asked(times(2, read), call("view", { file_path: "./a.ts" }))).toBe("barren");
  });
});
