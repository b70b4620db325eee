import { type AgentEvent, createGuard, type GuardOptions } from "doomloop";
import { describe, expect, it } from "vitest";
import { actionsOf, call, decisionsOf, step, times } from "../../../../../test/builders.ts";
import { refusal } from "../../../../../test/refusal.ts";
import { type PresetName, presetOf } from "./presets.ts";

const NAMES: PresetName[] = ["balanced", "conservative", "aggressive", "shadow"];
const read = step("read_file", { path: "a.ts" }, "export const a = 1;");
/** The same with a clock: each call takes so many seconds, and the next follows at once. */
const readFor = (seconds: number) =>
  Array.from({ length: 120 }, (_, index) =>
    read.map((event, part) => ({ ...event, at: (index + part) * seconds * 1_000 })),
  ).flat();

/** At which call a preset does each of what it does, for the first time. */
function firstOf(events: readonly AgentEvent[], options: GuardOptions) {
  const decisions = decisionsOf(events, options);
  return (["nudge", "block", "stop"] as const).map((wanted) => {
    const { at = Number.POSITIVE_INFINITY } = decisions.find(({ action }) => action === wanted) ?? {};
    return Math.floor(at / 2);
  });
}

describe("presetOf", () => {
  it.each(NAMES)("knows %s, and a guard can be made of it", (name) => {
    expect(presetOf(name).ladder.length).toBeGreaterThan(0);
    expect(() => createGuard({ preset: name })).not.toThrow();
  });

  it.each(["careful", "constructor", "__proto__", "toString", ""])("refuses %j", (name) => {
    const message = `preset: one of balanced, conservative, aggressive, shadow is required, got ${name}`;

    expect(() => presetOf(name)).toThrow(refusal(message));
  });
});

describe("the presets", () => {
  it.each<[PresetName, number[], number[], number[]]>([
    // Without a clock; calls of 20 seconds; ten calls a second.
    ["aggressive", [2, 7, 14], [2, 6, 11], [2, 18, 38]],
    ["balanced", [2, 11, 24], [2, 9, 19], [2, 30, 70]],
    ["conservative", [3, 18, 37], [3, 15, 30], [3, 51, 111]],
  ])("nudge first, then refuse, then stop, by rounds and time: %s", (preset, plain, slow, quick) => {
    expect(firstOf(times(120, read), { preset })).toEqual(plain);
    expect(firstOf(readFor(20), { preset })).toEqual(slow);
    expect(firstOf(readFor(0.1), { preset })).toEqual(quick);
  });

  it.each<[PresetName, number]>([
    ["aggressive", 3],
    ["balanced", 3],
    ["conservative", 6],
  ])("speak at a call whose outcome is the same but for a time: %s at the %s.", (preset, count) => {
    const record = "A record that is long enough to be no single value and says the same each time, at ";
    const reads = Array.from({ length: 9 }, (_, at) =>
      step("read_file", { path: "a.ts" }, `${record}10:00:0${at}`),
    ).flat();

    expect(firstOf(reads, { preset })[0]).toBe(count - 1);
  });

  it.each<[PresetName, number]>([
    ["aggressive", 4],
    ["balanced", 5],
    ["conservative", 7],
  ])("speak at similar calls where nobody sees outcomes: %s at the %s.", (preset, count) => {
    const clicks = Array.from({ length: 12 }, (_, at) => call("fill", { field: "amount", value: `${at} euros` }));
    const at = decisionsOf(clicks, { preset, progress: { seesResults: false } })[0]?.at;

    expect(at).toBe(count - 1);
  });

  it("let shadow see what balanced sees and do nothing", () => {
    expect(presetOf("shadow")).toEqual({ ...presetOf("balanced"), isShadow: true });
    expect(actionsOf(times(30, read), { preset: "shadow" })).toEqual([]);
  });
});
