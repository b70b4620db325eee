import { expect, it } from "vitest";
import { step, times } from "../../../../../test/builders.ts";
import type { AgentEvent } from "../../core/event.ts";
import type { GuardOptions } from "../../core/options.ts";
import { round, text } from "../../testing/index.ts";
import { alternativesTo, settingsFor } from "../tune/settings.ts";
import { closeRun } from "./close-run.ts";
import type { RunRecord } from "./run-record.ts";
import { watchRun } from "./watch-run.ts";

const FINE = [1, 2, 3, 4].flatMap((page) => step("read_page", { page }, `This is page ${page}.`));
const RUNS: Readonly<Record<string, readonly AgentEvent[]>> = {
  fine: FINE,
  short: times(3, step("read_file", { path: "b.ts" }, "export const b = 1;")),
  /** Too few for a high threshold, enough for a lower one. */
  five: times(5, step("read_file", { path: "c.ts" }, "export const c = 1;")),
  failing: [...FINE, ...times(9, step("read_file", { path: "a.ts" }, "no such file", { error: true }))],
  cycle: times(6, [
    ...step("ls", { path: "." }, "a.ts b.ts"),
    ...step("grep", { pattern: "x" }, "nothing was found here"),
  ]),
  words: times(14, [round, text("I will now look into the matter and report what I have found.")]),
};
const OPTIONS: Readonly<Record<string, GuardOptions>> = {
  "no options": {},
  "a strict preset": { preset: "aggressive" },
  "thresholds of one's own": {
    preset: "conservative",
    detectors: { "repeated-call": { threshold: 9 }, "call-cycle": false },
  },
};

function judged(events: readonly AgentEvent[], guardOptions: GuardOptions, more: object = {}): readonly RunRecord[] {
  const watch = watchRun("run", { guardOptions, keepsAll: false, includesContent: false, ...more });
  for (const event of events) watch.observe(event, undefined);
  return closeRun(watch, "trace", { prices: undefined, tokensPerCharacter: undefined });
}

it.each(Object.keys(OPTIONS))("finds under each setting what a scan with it finds, with %s", (name) => {
  const current = OPTIONS[name]!;
  let found = 0;
  for (const events of Object.values(RUNS)) {
    const alone = settingsFor(current).map(({ options }) => judged(events, options)[0]);
    found += alone.filter((record) => record!.loops.length > 0).length;

    expect(judged(events, current, { alternatives: alternativesTo(current) })).toEqual(alone);
  }
  expect(found).toBeGreaterThan(40);
});

it("finds the same where there is no room for events to wait, and gives back the room it took", () => {
  const alternatives = alternativesTo({});
  const [tight, wide] = [{ left: 100 }, { left: 1e6 }];
  for (const events of Object.values(RUNS)) {
    expect(judged(events, {}, { alternatives, room: tight })).toEqual(judged(events, {}, { alternatives, room: wide }));
  }
  expect([tight.left, wide.left]).toEqual([100, 1e6]);
});
