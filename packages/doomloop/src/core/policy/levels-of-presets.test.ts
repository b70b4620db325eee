import type { AgentEvent, GuardOptions } from "doomloop";
import { describe, expect, it } from "vitest";
import { actionsOf, decisionsOf, step, times } from "../../../../../test/builders.ts";
import { refusal } from "../../../../../test/refusal.ts";
import { type PresetName, presetOf } from "./levels.ts";

const read = step("read_file", { path: "a.ts" }, "export const a = 1;");
/** At which call a preset does each of what it does, for the first time. */
function firstOf(events: readonly AgentEvent[], options: GuardOptions) {
  const decisions = decisionsOf(events, options);
  return (["nudge", "block", "stop"] as const).map((wanted) => {
    const { at = Number.POSITIVE_INFINITY } = decisions.find(({ action }) => action === wanted) ?? {};
    return Math.floor(at / 2);
  });
}

describe("presetOf", () => {
  it.each(["careful", "constructor", "__proto__", "toString", ""])("refuses %j", (name) => {
    const message = `preset: one of balanced, conservative, aggressive, shadow is required, got ${name}`;

    expect(() => presetOf(name)).toThrow(refusal(message));
  });
});

describe("the presets", () => {
  it.each<[PresetName, number[]]>([
    ["aggressive", [2, 5, 11]],
    ["balanced", [2, 9, 19]],
    ["conservative", [3, 15, 31]],
  ])("tell first, then refuse, then stop what is clear: %s", (preset, calls) => {
    expect(firstOf(times(40, read), { preset })).toEqual(calls);
  });

  it.each<[PresetName, number]>([
    ["aggressive", 3],
    ["balanced", 3],
    ["conservative", 4],
  ])("speak at a call whose outcome is the same but for a time: %s at the %s.", (preset, count) => {
    const record = "A record that is long enough to be no single value and says the same each time, at ";
    const reads = Array.from({ length: 9 }, (_, at) =>
      step("read_file", { path: "a.ts" }, `${record}10:00:0${at}`),
    ).flat();

    expect(firstOf(reads, { preset })[0]).toBe(count - 1);
  });

  it("differ in when they act on what is not clear, too, and all of them end it", () => {
    const act = times(120, step("frobnicate", { id: 7 }, "ok"));
    const [aggressive, balanced, conservative] = (["aggressive", "balanced", "conservative"] as const).map((preset) =>
      firstOf(act, { preset }),
    );

    for (const rung of [1, 2]) {
      expect(aggressive![rung]).toBeLessThan(balanced![rung]!);
      expect(balanced![rung]).toBeLessThan(conservative![rung]!);
    }
    expect(conservative![2]).toBeLessThan(120);
  });

  it("let shadow see what balanced sees and do nothing", () => {
    expect(presetOf("shadow")).toEqual({ ...presetOf("balanced"), isShadow: true });
    expect(actionsOf(times(30, read), { preset: "shadow" })).toEqual([]);
  });
});
