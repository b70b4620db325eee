import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readSwitches } from "./fleet-switches.ts";

describe("switches", () => {
  it.each([
    ["", {}],
    ["{}", {}],
    ['{"mode":"off"}', { mode: "off" }],
    ['{"calls":20,"workers":3,"of":"another version"}', { calls: 20, workers: 3 }],
  ])("are read from %s", (text, switches) => {
    expect(readSwitches(text)).toEqual(switches);
  });

  it.each([
    ...["null", "[]", "7", "off", '{"mode":"of', '{"mode":"loud"}', '{"mode":null}', '{"calls":1}', '{"calls":"20"}'],
    ...['{"workers":2.5}', `{"mode":"off","more":"${"x".repeat(2000)}"}`],
  ])("are not read from %s", (text) => {
    expect(readSwitches(text)).toBeUndefined();
  });

  it("are read or not, whatever somebody wrote", () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => void readSwitches(text)));
  });
});
