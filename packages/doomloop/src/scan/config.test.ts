import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createConfiguredGuard, type GuardConfig, JSON_OPTIONS } from "../counting/configured-guard.ts";
import { platform } from "../platform.ts";
import { checkConfig, findConfig, readConfig } from "./config.ts";

let folder: string;
let inner: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "doomloop-config-"));
  inner = join(folder, "project", "src");
  mkdirSync(inner, { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("finds the nearest configuration in a parent folder", () => {
  writeFileSync(join(folder, "doomloop.config.json"), "{}");
  expect(findConfig(inner, folder)).toBe(join(folder, "doomloop.config.json"));

  writeFileSync(join(folder, "project", "doomloop.config.json"), "{}");
  expect(findConfig(inner, folder)).toBe(join(folder, "project", "doomloop.config.json"));
});

it("never finds a module, because loading it would run a stranger's code", () => {
  writeFileSync(join(folder, "project", "doomloop.config.ts"), "throw new Error();");

  expect(findConfig(inner, folder)).toBeUndefined();
});

it("does not search above the repository", () => {
  writeFileSync(join(folder, "doomloop.config.json"), "{}");
  mkdirSync(join(folder, "project", ".git"));

  expect(findConfig(inner, "/nowhere")).toBeUndefined();
});

it("reads options with functions from a module, and ignores $schema", async () => {
  const typed = join(folder, "doomloop.config.ts");
  const plain = join(folder, "doomloop.config.json");
  writeFileSync(
    typed,
    'const preset: string = "aggressive";\nexport default { preset, rules: { ls: { ignore: () => true } } };',
  );
  writeFileSync(plain, '{ "$schema": "x", "preset": "shadow" }');

  expect((await readConfig(typed)).rules?.ls?.ignore).toBeTypeOf("function");
  expect(await readConfig(plain)).toEqual({ preset: "shadow" });
});

it("names the file with the error", async () => {
  const empty = join(folder, "doomloop.config.ts");
  writeFileSync(empty, "export const other = 1;");

  await expect(readConfig(empty)).rejects.toThrow(`${empty}: a default export`);
  await expect(readConfig(join(folder, "x.yaml"))).rejects.toThrow("a .json or .ts file");
});

/** One value for every option that a file may contain. */
const EVERY_OPTION = {
  preset: "aggressive",
  detectors: { "repeated-call": { threshold: 4 }, "text-only": false },
  levels: { told: 4, refused: 8 },
  counts: { repeats: 3, escalates: "run" },
  ladder: ["nudge", "stop"],
  patienceMs: 1000,
  questions: 12,
  rules: {
    check_job: { poll: { patienceMs: 5 } },
    ls: { ignore: true },
    deploy: { repeat: "never", changes: true, threshold: 4, wayOut: false },
    put: { identity: ["key"] },
  },
  attended: true,
} as const satisfies GuardConfig;

it("accepts every option that a file may contain", () => {
  expect(Object.keys(EVERY_OPTION).sort()).toEqual([...JSON_OPTIONS].sort());
});

it.each(Object.entries(EVERY_OPTION))("passes %s from JSON to a guard that accepts it", (name, value) => {
  const config = JSON.parse(JSON.stringify({ [name]: value })) as unknown;

  expect(checkConfig(config)).toEqual({ [name]: value });
  expect(() => createConfiguredGuard(checkConfig(config), platform)).not.toThrow();
});

it.each([
  { config: [], message: "options: an object is required, got a list" },
  { config: null, message: "options: an object is required, got null" },
  { config: { treshold: 1 }, message: "treshold: there is no such option; one of preset, detectors, levels," },
  { config: { atended: true }, message: "atended: there is no such option; did you mean attended?" },
  { config: { onDecision: "x" }, message: "onDecision: only code can set it, not JSON" },
  { config: { snapshot: {} }, message: "snapshot: only code can set it, not JSON" },
  { config: { attended: "yes" }, message: 'attended: true or false is required, got "yes"' },
  { config: { ladder: "stop" }, message: 'ladder: a list of strings is required, got "stop"' },
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
    config: { detectors: { "call-cycle": { treshold: 3 } } },
    message: 'detectors["call-cycle"].treshold: there is no such option; did you mean threshold?',
  },
  { config: { levels: { refuse: 3 } }, message: "levels.refuse: there is no such option; did you mean refused?" },
  { config: { patienceMs: "3" }, message: 'patienceMs: an integer of at least 0 is required, got "3"' },
  { config: { rules: { ls: true } }, message: 'rules["ls"]: an object is required, got true' },
  {
    config: { rules: { ls: { ignored: true } } },
    message: 'rules["ls"].ignored: there is no such option; did you mean ignore?',
  },
  {
    config: { rules: { ls: { poll: { patience: 1 } } } },
    message: 'rules["ls"].poll.patience: there is no such option; did you mean patienceMs?',
  },
  {
    config: JSON.parse('{"__proto__":{"attended":true}}'),
    message: "__proto__: there is no such option; one of preset,",
  },
])("refuses $config", ({ config, message }) => {
  expect(() => checkConfig(config)).toThrow(message);
});
