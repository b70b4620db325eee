import { describe, expect, it } from "vitest";
import { call, failure, newRun, result, step, takeCall, times, user } from "../../../../../test/builders.ts";
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

const LONG = `a record of more than two hundred characters, ${"which nobody gives twice word for word ".repeat(4)}`;
const read = step("read_file", { path: "a.ts" }, "export const a = 1;");
const missing = [call("read_file", { path: "b.ts" }), failure("ENOENT: no such file")];
const order = (output: string) => step("get_order", { id: 7 }, output);
const failed = [call("get_order", { id: 7 }), failure("no such order")];
const edit = step("write_file", { path: "c.ts", content: "x" }, "written");

describe("prospectOf", () => {
  it.each<[string, AgentEvent[]]>([
    ["failed the same way", times(2, missing)],
    ["came back with the same file", times(2, read)],
    ["came back with the same long answer", times(2, order(LONG))],
  ])("is proven barren if the call %s", (_what, before) => {
    expect(asked(before, before[0]!)).toBe("proven");
  });

  it.each<[string, AgentEvent[]]>([
    ["failed once, and may pass", missing],
    ["has come back once, and may yet tell something else", read],
    ["tells little of what others may change", times(4, order("none"))],
    ["failed where others may mend it", times(4, failed)],
    [
      "comes back with another time in it",
      ["10:00:01", "10:00:02", "10:00:03"].flatMap((at) => order(`${LONG} ${at}`)),
    ],
    ["says that a job goes on", times(3, order(`status: running, ${LONG}`))],
    ["failed because somebody was busy", times(2, [failed[0]!, failure("database is locked")])],
    [
      "comes back with something else at times",
      [...times(2, read), ...step("read_file", { path: "a.ts" }, "b"), ...read],
    ],
  ])("is barren, not proven, if the call %s", (_what, before) => {
    expect(asked(before, before[0]!)).toBe("barren");
  });

  it("is proven again once the world has changed, and what else it came to is past", () => {
    const other = step("read_file", { path: "a.ts" }, "b");

    expect(asked([...read, ...other, ...edit, ...times(2, read)], read[0]!)).toBe("proven");
  });

  it.each<[string, AgentEvent[]]>([
    ["something was changed since", edit],
    ["the user spoke since", [user("go on")]],
    ["the run has forgotten it", [{ type: "compaction" }]],
  ])("is open if %s", (_what, since) => {
    expect(asked([...times(3, missing), ...since], missing[0]!)).toBe("open");
  });

  it.each<[string, AgentEvent[], AgentEvent, ToolRule]>([
    ["a rule lets it poll", times(3, order("none")), order("none")[0]!, { poll: true }],
    ["it sleeps", times(3, step("wait", { seconds: 5 }, "waited")), call("wait", { seconds: 5 }), {}],
    ["one before it slept", [...times(3, order("none")), ...step("wait", { seconds: 5 }, "")], order("none")[0]!, {}],
  ])("is open while it may wait: %s", (_what, before, next, rule) => {
    expect(asked(before, next, rule)).toBe("open");
  });

  it("is open after a pause", () => {
    const look = (at: number) => [call("get_order", { id: 7 }, { at }), result(LONG, { at: at + 1 })];
    const before = [0, 1000, 2000].flatMap(look);

    expect(asked(before, call("get_order", { id: 7 }, { at: 3000 }))).toBe("proven");
    expect(asked(before, call("get_order", { id: 7 }, { at: 30_000 }))).toBe("open");
  });

  it("is barren in another form, too, where that means the same", () => {
    expect(asked(times(2, read), call("view", { file_path: "./a.ts" }))).toBe("barren");
  });
});
