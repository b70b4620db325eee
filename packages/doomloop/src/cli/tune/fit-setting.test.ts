import { expect, it } from "vitest";
import type { LoopSummary } from "../scan/report.ts";
import type { Outcome } from "./compare-settings.ts";
import { fitSetting } from "./fit-setting.ts";
import type { Mark } from "./marks.ts";
import { settingsFor } from "./settings.ts";

const SETTINGS = settingsFor({});

function loop(session: string): LoopSummary {
  return { id: `${session}-1`, session, kind: "repeated-call", onset: 1, end: 5 } as LoopSummary;
}

function mark(session: string, isRight: boolean): Mark {
  return { id: `${session}-1`, session, kind: "repeated-call", onset: 2, end: 9, isRight };
}

/** What each setting finds, by session. */
function outcomes(found: (name: string) => readonly string[]): Outcome[] {
  return SETTINGS.map((setting) => ({ setting, sessionsWithLoops: 0, loops: found(setting.name).map(loop) }));
}

it("keeps what is in use where every mark is right", () => {
  expect(
    fitSetting(
      outcomes(() => ["a", "b"]),
      [mark("a", true)],
    ),
  ).toEqual({});
});

it("makes one detector speak later, no more than the marks ask for", () => {
  const found = (name: string): readonly string[] =>
    name.startsWith("repeated-call") && !name.includes("threshold 4") ? ["a"] : ["a", "b"];
  const fitted = fitSetting(outcomes(found), [mark("a", true), mark("b", false)]);

  expect(fitted).toEqual({ detectors: { "repeated-call": { threshold: 5, looseThreshold: 5, fuzzyThreshold: 6 } } });
});

it("takes a preset that fits better as a whole", () => {
  const found = (name: string): readonly string[] => (name === "conservative" ? ["a"] : ["a", "b"]);

  expect(fitSetting(outcomes(found), [mark("a", true), mark("b", false)])).toEqual({ preset: "conservative" });
});
