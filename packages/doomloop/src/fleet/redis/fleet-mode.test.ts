import type { FleetMode, FleetNotice } from "doomloop/fleet";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { createModeOfFleet } from "./fleet-mode.ts";

function modeWith(option: Parameters<typeof createModeOfFleet>[0] = "on") {
  const runs = { active: 0, looping: 0 };
  const notices: FleetNotice[] = [];
  const mode = createModeOfFleet(
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
  it("is what the store's switch says, and stays so if nothing is said", () => {
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

  it("stays as it was if what is said is no mode, and says so once", () => {
    const { mode, notices } = modeWith();
    for (const said of ["shadow", "OFF", "OFF", undefined, "OFF", '{"mode":"off"}', ""]) mode.hear(said);

    expect(mode.current()).toBe("shadow");
    const unreadable = { kind: "switch-unreadable" };
    expect(notices).toEqual([{ kind: "mode", mode: "shadow", because: "switch" }, unreadable, unreadable, unreadable]);
  });

  it("is the quietest of what switch, option and distrust ask for", () => {
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

  it("asks an option that is a function again, and keeps to its last word if it fails or says no mode", () => {
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

  it("distrusts itself while more than half of at least ten runs loop, and trusts again at four of ten", () => {
    const { loop, notices } = modeWith();
    expect([loop(9, 9), loop(10, 20), loop(11, 20)]).toEqual(["on", "on", "shadow"]);
    expect([loop(9, 20), loop(8, 20), loop(10, 20)]).toEqual(["shadow", "on", "on"]);
    expect(notices).toEqual([
      { kind: "mode", mode: "shadow", because: "distrust" },
      { kind: "mode", mode: "on", because: "distrust" },
    ]);
  });
});
