import { expect, it } from "vitest";
import { type DetectorKind, detectors } from "../../core/detectors/index.ts";
import { checkConfig } from "./check-config.ts";
import { detectorKeys } from "./known-keys.ts";

it("passes every kind of option that a file can hold", () => {
  const config = {
    preset: "aggressive",
    detectors: { "repeated-call": { threshold: 4 }, "text-only": false },
    progress: { outcomes: "compare", news: false, patienceMs: 1000 },
    ladder: ["nudge", "stop"],
    ladderScope: "run",
    tools: {
      check_job: { poll: { patienceMs: 5 } },
      ls: { ignore: true },
      deploy: { repeat: "never" },
      put: { identity: ["key"] },
    },
    attended: true,
  };

  expect(checkConfig(config)).toEqual(config);
});

it.each([
  { config: [], message: "the configuration: an object is required, got []" },
  { config: null, message: "the configuration: an object is required, got null" },
  { config: { treshold: 1 }, message: "treshold: one of preset, detectors, progress," },
  { config: { onDecision: "x" }, message: "onDecision: one of preset," },
  { config: { snapshot: {} }, message: "snapshot: one of preset," },
  { config: { attended: "yes" }, message: 'attended: true or false is required, got "yes"' },
  { config: { ladder: "stop" }, message: 'ladder: a list of texts is required, got "stop"' },
  { config: { detectors: [] }, message: "detectors: an object is required" },
  { config: { detectors: { "repeated-cal": {} } }, message: "detectors.repeated-cal: one of call-cycle," },
  { config: { detectors: { "call-cycle": true } }, message: "detectors.call-cycle: an object is required, got true" },
  { config: { detectors: { "call-cycle": { lap: 3 } } }, message: "detectors.call-cycle.lap: one of " },
  { config: { progress: { patience: 3 } }, message: "progress.patience: one of outcomes," },
  { config: { progress: { patienceMs: "3" } }, message: 'progress.patienceMs: a number is required, got "3"' },
  { config: { tools: { ls: true } }, message: 'tools["ls"]: an object is required, got true' },
  { config: { tools: { ls: { ignored: true } } }, message: 'tools["ls"].ignored: one of ignore,' },
  {
    config: { tools: { ls: { poll: { patience: 1 } } } },
    message: 'tools["ls"].poll.patience: one of patienceMs is required',
  },
  { config: JSON.parse('{"__proto__":{"attended":true}}'), message: "__proto__: one of preset," },
])("refuses $config", ({ config, message }) => {
  expect(() => checkConfig(config)).toThrow(message);
});

it.each(Object.keys(detectors) as DetectorKind[])("knows the options of %s", (kind) => {
  expect(detectorKeys(kind).length).toBeGreaterThan(0);
});
