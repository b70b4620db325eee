import { describe, expect, it } from "vitest";
import { biteOf, continueLoop, continueRow, rowBiteOf } from "../../bench/quality/go-on.ts";
import type { Action } from "../../packages/doomloop/src/core/decision.ts";
import type { AgentEvent } from "../../packages/doomloop/src/index.ts";
import { call, result, round, step, text, times, user } from "../builders.ts";

/** A model answer with one call, which takes a second. */
const timed = (second: number, tool: string, output = "same"): AgentEvent[] => [
  round,
  call(tool, { path: "a" }, { id: `c${second}`, at: 1_000 * second }),
  result(output, { id: `c${second}`, at: 1_000 * second + 400 }),
];
type Decisions = [call: number, action: Action][];
const decisionsOf = (decisions: Decisions) => decisions.map(([at, action]) => ({ call: at, action }));
const callsOf = (events: readonly AgentEvent[]) => events.filter((event) => event.type === "call");
const toolsOf = (events: readonly AgentEvent[]) => callsOf(events).map(({ tool }) => tool);

describe("a loop that goes on", () => {
  const events = [
    ...timed(0, "start"),
    ...timed(1, "read"),
    ...timed(2, "list"),
    ...timed(3, "read"),
    ...timed(4, "list"),
    ...timed(5, "other"),
  ];
  const continued = continueLoop(events, { span: [1, 4], from: 2 });

  it("repeats its last lap up to forty calls after the first word was justified", () => {
    const laps = Array.from({ length: 21 }, () => ["read", "list"]).flat();

    expect(toolsOf(continued)).toEqual(["start", ...laps]);
    expect(continued.filter(({ type }) => type === "round")).toHaveLength(43);
  });

  it("goes on in time as the lap did", () => {
    expect(callsOf(continued).map(({ at }) => at)).toEqual(Array.from({ length: 43 }, (_, at) => 1_000 * at));
  });
});

describe("a row", () => {
  const same = step("read", { path: "a" }, "same");

  it("is continued to thirty calls, and nothing comes after it", () => {
    const { first, events } = continueRow([...step("start", {}, "ok"), ...times(8, same), ...step("other", {}, "ok")])!;

    expect(first).toBe(1);
    expect(toolsOf(events)).toEqual(["start", ...Array.from({ length: 30 }, () => "read")]);
  });

  it.each([
    { title: "seven calls", events: times(7, same) },
    { title: "another call in between", events: [...times(7, same), ...step("other", {}, "ok"), ...times(7, same)] },
    { title: "a word of the user in between", events: [...times(7, same), user(), ...times(7, same)] },
    { title: "a word of the agent in between", events: [...times(7, same), text("hm"), ...times(7, same)] },
    { title: "another result", events: [...times(7, same), ...step("read", { path: "a" }, "new"), ...times(7, same)] },
    { title: "no results", events: times(9, [call("read", { path: "a" })]) },
    { title: "calls side by side", events: [...times(9, [call("read")]), ...times(9, [result("same")])] },
  ])("is none: $title", ({ events }) => {
    expect(continueRow(events)).toBeUndefined();
  });

  it.each<{ title: string; decisions: Decisions; is: string[] }>([
    { title: "a word at the eighth call", decisions: [[12, "nudge"]], is: ["isSpokenTo"] },
    { title: "a word at the ninth call", decisions: [[13, "nudge"]], is: [] },
    { title: "a word before it", decisions: [[4, "nudge"]], is: [] },
    { title: "a refusal of the twelfth call", decisions: [[16, "block"]], is: ["isRefused"] },
    { title: "a refusal of the thirteenth call", decisions: [[17, "block"]], is: [] },
    { title: "an end by the twelfth call", decisions: [[16, "stop"]], is: ["isRefused", "isEnded"] },
    { title: "an end at any time", decisions: [[34, "stop"]], is: ["isEnded"] },
  ])("is scored by its repeats: $title", ({ decisions, is }) => {
    const score = Object.entries(rowBiteOf(5, decisionsOf(decisions)));

    expect(score.filter(([, holds]) => holds).map(([name]) => name)).toEqual(is);
  });
});

describe("a bite", () => {
  it.each<{ title: string; decisions: Decisions; isRefused: boolean; isEnded: boolean }>([
    { title: "none by words", decisions: [[6, "nudge"]], isRefused: false, isEnded: false },
    { title: "a refusal in time", decisions: [[21, "block"]], isRefused: true, isEnded: false },
    { title: "a refusal too late", decisions: [[22, "block"]], isRefused: false, isEnded: false },
    { title: "an end in time", decisions: [[45, "stop"]], isRefused: false, isEnded: true },
    { title: "an end too late", decisions: [[46, "stop"]], isRefused: false, isEnded: false },
    { title: "an end that also refuses", decisions: [[21, "stop"]], isRefused: true, isEnded: true },
    { title: "none before a word was justified", decisions: [[4, "stop"]], isRefused: false, isEnded: false },
  ])("is $title", ({ decisions, isRefused, isEnded }) => {
    expect(biteOf({ from: 5 }, decisionsOf(decisions))).toEqual({ isRefused, isEnded });
  });
});
