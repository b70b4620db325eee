import type { FleetMode } from "doomloop/fleet";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { createFleetModeSwitch } from "./fleet-mode.ts";
import type { FleetNotice } from "./store-fleet-options.ts";

function modeWith(option: Parameters<typeof createFleetModeSwitch>[0] = "on") {
  const runs = { active: 0, looping: 0 };
  const notices: FleetNotice[] = [];
  const mode = createFleetModeSwitch(
    option,
    () => runs,
    (notice) => notices.push(notice),
  );
  const loop = (looping: number, active: number): FleetMode => {
    Object.assign(runs, { looping, active });
    mode.weigh();
    return mode.current();
  };
  return { mode, notices, loop };
}

describe("the mode of a fleet", () => {
  it("follows the store's switch, and stays the same if the switch has no value", () => {
    const { mode, notices } = modeWith();
    for (const said of [undefined, "off", "off", undefined]) mode.hear(said);
    expect(mode.current()).toBe("off");

    mode.hear("on");
    expect(mode.current()).toBe("on");
    expect(notices).toEqual([
      { kind: "mode", mode: "off", because: "switch" },
      { kind: "mode", mode: "on", because: "switch" },
    ]);
  });

  it("stays the same if the switch holds no mode, and reports that once", () => {
    const { mode, notices } = modeWith();
    for (const said of ["shadow", "OFF", "OFF", undefined, "OFF", '{"mode":"off"}', ""]) mode.hear(said);

    expect(mode.current()).toBe("shadow");
    const unreadable = { kind: "switch-unreadable" };
    expect(notices).toEqual([{ kind: "mode", mode: "shadow", because: "switch" }, unreadable, unreadable, unreadable]);
  });

  it("is the quietest mode that switch, option or distrust asks for", () => {
    const quietness = ["on", "shadow", "off"] as const;
    const any = fc.constantFrom(...quietness);
    fc.assert(
      fc.property(any, any, fc.boolean(), (said, option, loops) => {
        const { mode, loop } = modeWith(option);
        mode.hear(said);
        const asked = [said, option, loops ? "shadow" : "on"].map((each) => quietness.indexOf(each as FleetMode));
        expect(loop(loops ? 10 : 0, 10)).toBe(quietness[Math.max(...asked)]);
      }),
      { numRuns: propertyRuns() },
    );
  });

  it("calls an option that is a function again, and keeps its last answer if it fails or returns no mode", () => {
    let said: () => unknown = () => "shadow";
    const { mode } = modeWith(() => said() as FleetMode);
    expect(mode.current()).toBe("shadow");
    for (const failing of [() => JSON.parse("{"), () => undefined, () => "quiet", async () => Promise.reject()]) {
      said = failing;
      mode.weigh();
      expect(mode.current()).toBe("shadow");
    }

    said = () => "on";
    mode.weigh();
    expect(mode.current()).toBe("on");
  });

  it("distrusts the guards while more than half of at least ten runs loop, until four of ten do", () => {
    const { loop, notices } = modeWith();
    expect([loop(9, 9), loop(10, 20), loop(11, 20)]).toEqual(["on", "on", "shadow"]);
    expect([loop(9, 20), loop(8, 20), loop(10, 20)]).toEqual(["shadow", "on", "on"]);
    expect(notices).toEqual([
      { kind: "mode", mode: "shadow", because: "distrust" },
      { kind: "mode", mode: "on", because: "distrust" },
    ]);
  });
});
