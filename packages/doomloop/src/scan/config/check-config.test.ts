import { expect, it } from "vitest";
import { createGuard, type GuardOptions } from "../../index.ts";
import { checkConfig, FILE_OPTIONS } from "./check-config.ts";

/** One value for every option that a file can hold. */
const EVERY_OPTION = {
  preset: "aggressive",
  detectors: { "repeated-call": { threshold: 4, later: { afterCalls: 9, threshold: 2 } }, "text-only": false },
  progress: {
    outcomes: "compare",
    comparedCharacters: 100,
    comparedArguments: "primary",
    worldChange: true,
    userTurn: false,
    news: false,
    patienceMs: 1000,
    forgives: false,
    seesResults: true,
  },
  ladder: ["nudge", "stop"],
  ladderScope: "run",
  ladderDescends: false,
  ladderPace: {
    block: { rounds: 1, ms: 0 },
    restart: { rounds: 2, ms: 0 },
    stop: { rounds: 3, ms: 5 },
  },
  ladderCounts: [3, 6],
  endUncertainAfter: 9,
  beyondNudge: "any",
  priority: ["same-outcome"],
  tools: {
    check_job: { poll: { patienceMs: 5 } },
    ls: { ignore: true },
    deploy: { repeat: "never", changes: true, threshold: 4 },
    put: { identity: ["key"] },
  },
  attended: true,
} as const satisfies GuardOptions;

it("knows every option that a file can hold", () => {
  expect(Object.keys(EVERY_OPTION).sort()).toEqual([...FILE_OPTIONS].sort());
});

it.each(Object.entries(EVERY_OPTION))("passes %s through, as JSON, to a guard that takes it", (name, value) => {
  const config = JSON.parse(JSON.stringify({ [name]: value })) as unknown;
  // Counts belong to a ladder of as many rungs.
  const beside = name === "ladderCounts" ? { ladder: EVERY_OPTION.ladder } : {};

  expect(checkConfig(config)).toEqual({ [name]: value });
  expect(() => createGuard({ ...checkConfig(config), ...beside })).not.toThrow();
});

it.each([
  { config: [], message: "options: an object is required, got a list" },
  { config: null, message: "options: an object is required, got null" },
  { config: { treshold: 1 }, message: "treshold: there is no such option; one of preset, detectors, progress," },
  { config: { atended: true }, message: "atended: there is no such option; did you mean attended?" },
  { config: { onDecision: "x" }, message: "onDecision: a function is required" },
  { config: { snapshot: {} }, message: "snapshot: there is no such option; one of preset," },
  { config: { attended: "yes" }, message: 'attended: true or false is required, got "yes"' },
  { config: { ladder: "stop" }, message: 'ladder: a list of texts is required, got "stop"' },
  { config: { detectors: [] }, message: "detectors: an object is required" },
  {
    config: { detectors: { "repeated-cal": {} } },
    message: "detectors.repeated-cal: there is no such option; did you mean repeated-call?",
  },
  {
    config: { detectors: { "call-cycle": true } },
    message: 'detectors["call-cycle"]: an object is required, got true',
  },
  {
    config: { detectors: { "call-cycle": { lap: 3 } } },
    message: 'detectors["call-cycle"].lap: there is no such option; did you mean laps?',
  },
  {
    config: { progress: { patience: 3 } },
    message: "progress.patience: there is no such option; did you mean patienceMs?",
  },
  { config: { progress: { patienceMs: "3" } }, message: 'progress.patienceMs: a number is required, got "3"' },
  { config: { tools: { ls: true } }, message: 'tools["ls"]: an object is required, got true' },
  {
    config: { tools: { ls: { ignored: true } } },
    message: 'tools["ls"].ignored: there is no such option; did you mean ignore?',
  },
  {
    config: { tools: { ls: { poll: { patience: 1 } } } },
    message: 'tools["ls"].poll.patience: there is no such option; did you mean patienceMs?',
  },
  {
    config: JSON.parse('{"__proto__":{"attended":true}}'),
    message: "__proto__: there is no such option; one of preset,",
  },
])("refuses $config", ({ config, message }) => {
  expect(() => checkConfig(config)).toThrow(message);
});
