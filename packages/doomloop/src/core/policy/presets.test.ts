import { createGuard, type GuardOptions } from "doomloop";
import { describe, expect, it } from "vitest";
import { actionsOf, decisionsOf, step, times } from "../../../../../test/builders.ts";
import { refusal } from "../../../../../test/refusal.ts";
import { type PresetName, presetOf } from "./presets.ts";

const NAMES: PresetName[] = ["balanced", "conservative", "aggressive", "shadow"];
const RECORD =
  "This record of a customer does not change, however often and in whatever mood somebody asks for it today.";
const read = step("get_record", { id: 7 }, RECORD);

const firstAt = (options: GuardOptions) => decisionsOf(times(30, read), options)[0]?.at ?? Number.POSITIVE_INFINITY;

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
  it("speak in their order on a call that repeats: conservative after balanced", () => {
    expect(firstAt({ preset: "conservative" })).toBeGreaterThan(firstAt({ preset: "balanced" }));
    expect(firstAt({ preset: "aggressive" })).toBeLessThanOrEqual(firstAt({ preset: "balanced" }));
  });

  it("nudge before they do anything else, and all but shadow stop in the end", () => {
    for (const preset of ["balanced", "conservative", "aggressive"] as const) {
      const actions = actionsOf(times(30, read), { preset });

      expect(actions[0]).toBe("nudge");
      expect(actions.at(-1)).toBe("stop");
    }
  });

  it("stop in their order: aggressive first, conservative last", () => {
    const stopAt = (preset: PresetName) =>
      decisionsOf(times(30, read), { preset }).find(({ action }) => action === "stop")!.at;

    expect(stopAt("aggressive")).toBeLessThan(stopAt("balanced"));
    expect(stopAt("balanced")).toBeLessThan(stopAt("conservative"));
  });

  it("let shadow see what balanced sees and do nothing", () => {
    expect(presetOf("shadow")).toEqual({ ...presetOf("balanced"), isShadow: true });
    expect(actionsOf(times(30, read), { preset: "shadow" })).toEqual([]);
  });
});
