import { basename } from "node:path";
import { brokenPromises } from "doomloop/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pack } from "../../packages/doomloop/src/core/collections/pack.ts";
import type { Detector } from "../../packages/doomloop/src/core/detectors/detector.ts";
import type { DetectorFinding } from "../../packages/doomloop/src/core/detectors/index.ts";
import type { AgentEvent } from "../../packages/doomloop/src/core/event.ts";
import { type RunState, settle } from "../../packages/doomloop/src/core/memory/run-state.ts";
import { messageFor } from "../../packages/doomloop/src/core/messages/wording.ts";
import type { LadderAnswer } from "../../packages/doomloop/src/core/policy/rungs.ts";
import { eventStreams } from "../arbitrary-events.ts";
import { findingsOf, newRun, type RunSettings, sightFor } from "../builders.ts";
import { propertyRuns } from "../property-runs.ts";

const MAX_STEPS = 32;

/**
 * What every detector must do. `firing` is a run that it reports, `innocent` one that looks alike and that it must not.
 *
 * The runs should say something in eight characters or more, so that a copy of it would be seen in a finding.
 */
export function detectorContract(
  create: () => Detector<DetectorFinding>,
  firing: readonly AgentEvent[],
  innocent: readonly AgentEvent[],
  settings: RunSettings = {},
): void {
  describe("as a detector", () => {
    it("is named as its file is", () => {
      expect(`${create().kind}.test.ts`).toBe(basename(expect.getState().testPath ?? ""));
    });

    it("reports the run that it is made for, every time the same", () => {
      const findings = findingsOf(create(), firing, settings);

      expect(findings).not.toEqual([]);
      expect(findingsOf(create(), firing, settings)).toEqual(findings);
    });

    it("reports facts that keep their word", () => {
      for (const finding of findingsOf(create(), firing, settings)) verifyFacts(finding, create().kind);
    });

    it("has words: the fact with its number, a way out for who intends it, and three pieces of advice", () => {
      const [finding] = findingsOf(create(), firing, settings);
      const { fact, lead, advice } = wordsFor(finding!, { tone: "notice", next: "nudge" });

      expect(fact).toMatch(/^\[doomloop\] (?!You are in a loop|Last warning).*\d.*[.:]/);
      expect(lead).toMatch(/(?:good reason, go on\. If not|If you are waiting for a change):$/);
      expect(advice).toEqual(["1. ", "2. ", "3. "]);
    });

    it("has other words for whom these did not help, and calls it a loop only where more than words may follow", () => {
      const [finding] = findingsOf(create(), firing, settings);
      const first = wordsFor(finding!, { tone: "notice", next: "nudge" });
      const warned = wordsFor(finding!, { tone: "warning", next: "nudge" });
      const doubted = wordsFor(finding!, { tone: "warning", next: undefined });

      expect(warned.fact).toMatch(/^\[doomloop\] You are in a loop\. .*\d/);
      expect(warned.fact).not.toContain(first.fact.replace("[doomloop] ", ""));
      expect(doubted.fact).toBe(warned.fact.replace("You are in a loop. ", ""));
      for (const { advice } of [warned, doubted]) expect(advice).toEqual(["1. ", "2. ", "3. "]);
    });

    it("keeps the contract that detectors of users keep: leaves innocent runs and first steps alone, and copies nothing", () => {
      const findings = (events: readonly AgentEvent[]) => findingsOf(create(), events, settings);

      expect(brokenPromises(findings, { firing, innocent })).toEqual([]);
    });

    it("reads whatever happens without a fault, keeps its word, and leaves all memory but its own as it is", () => {
      const detector = create();
      const property = fc.property(eventStreams, (events) => {
        const { state, take } = newRun(settings);
        for (const event of events) {
          const sight = sightFor(detector, take(event));
          if (sight === undefined) continue;
          const before = atRest(state, detector.kind);
          const finding = detector.inspect(sight, state);
          if (finding !== undefined) verifyFacts(finding, detector.kind);
          expect(atRest(state, detector.kind)).toBe(before);
        }
      });
      // A stream has some thirty events and its memory is written at each: a twentieth of the runs takes as long as others take.
      fc.assert(property, { numRuns: Math.ceil(propertyRuns() / 20) });
    });
  });
}

/** What an agent is told: the first line, the last one before the advice, and how the lines of advice begin. */
function wordsFor(finding: DetectorFinding, words: Pick<LadderAnswer, "tone" | "next">) {
  const outlook = { next: words.next, isRefused: false, isAttended: false, isShadow: false };
  const lines = messageFor(finding, { rung: "nudge", ...words }, outlook).split("\n");
  const from = lines.findIndex((line) => line.startsWith("1. "));
  return { fact: lines[0]!, lead: lines[from - 1]!, advice: lines.slice(from).map((line) => line.slice(0, 3)) };
}

/** All that a run remembers but for what one detector does. */
function atRest(state: RunState, kind: string): string {
  settle(state);
  return JSON.stringify(pack({ ...state, memories: { ...state.memories, [kind]: undefined } }));
}

function verifyFacts(finding: DetectorFinding, kind: string): void {
  const { loop, steps, count, confidence, tools } = finding;
  expect(finding.kind).toBe(kind);
  expect(loop).toMatch(/^[0-9a-f]{32}$/);
  expect(confidence).toBeGreaterThan(0);
  expect(confidence).toBeLessThanOrEqual(1);
  expect(Number.isInteger(count) && count >= 1, `a count of ${count}`).toBe(true);
  expect(tools.length).toBeLessThanOrEqual(8);
  expect(steps.length).toBeLessThanOrEqual(MAX_STEPS);
  expect(steps).toEqual([...new Set(steps)].sort((one, other) => one - other));
  expect(JSON.parse(JSON.stringify(finding))).toEqual(finding);
}
