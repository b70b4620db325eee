import { describe, expect, it } from "vitest";
import { createGuard, type GuardConfig } from "../../../../test/builders.ts";
import { refusal } from "../../../../test/refusal.ts";
import { resolveCounts } from "./count-rules.ts";

describe("resolveCounts", () => {
  it("fills in what is left out, and counts nothing that is not named", () => {
    expect(resolveCounts({ repeats: 3 }, ["stop"])).toEqual({
      repeats: 3,
      within: 20,
      cycles: undefined,
      outcomes: "ignore",
      comparedCharacters: 500,
      escalates: "loop",
      remembered: 20,
    });
    expect(resolveCounts({ cycles: { laps: 3 } }, ["stop"]).cycles).toEqual({ shortest: 2, longest: 5, laps: 3 });
  });

  it("remembers as many calls as the window or the longest cycle needs", () => {
    expect(resolveCounts({ repeats: 3, within: 50 }, ["stop"]).remembered).toBe(50);
    expect(resolveCounts({ repeats: 3, within: "row", cycles: { longest: 8 } }, ["stop"]).remembered).toBe(16);
    expect(resolveCounts({ cycles: { longest: 50, laps: 9 } }, ["stop"]).remembered).toBe(100);
  });
});

describe("the option counts", () => {
  it.each<[NonNullable<GuardConfig["counts"]> | object, string]>([
    [
      {},
      "counts: one of repeats, similar, cycles, failingTests, failingCommands, answersWithoutCalls is required, got none",
    ],
    [{ repeats: 1 }, "counts.repeats: an integer of at least 2 is required, got 1"],
    [{ repeat: 3 }, "counts.repeat: there is no such option; did you mean repeats?"],
    [{ repeats: 3, within: "rows" }, 'counts.within: an integer from 2 to 100 or "row" is required, got "rows"'],
    [{ repeats: 3, within: 101 }, 'counts.within: an integer from 2 to 100 or "row" is required, got 101'],
    [{ repeats: 9, within: 8 }, "counts.repeats: at most 8 (within) is required, got 9"],
    [{ similar: 9, within: 8 }, "counts.similar: at most 8 (within) is required, got 9"],
    [{ similar: 3, later: { afterCalls: 9, repeats: 2 } }, "counts.later: repeats is required, got none"],
    [{ cycles: { shortest: 4, longest: 3 } }, "counts.cycles.longest: at least 4 (shortest) is required, got 3"],
    [{ cycles: { laps: 1 } }, "counts.cycles.laps: an integer of at least 2 is required, got 1"],
    [{ repeats: 3, outcomes: "blind" }, 'counts.outcomes: "ignore" or "compare" is required, got "blind"'],
    [
      { repeats: 3, escalates: [3, 4] },
      "counts.escalates: 3 rising numbers are required, one for each action in ladder, got 3, 4",
    ],
    [
      { repeats: 3, escalates: [3, 3, 4] },
      "counts.escalates: 3 rising numbers are required, one for each action in ladder, got 3, 3, 4",
    ],
  ])("refuses %j", (counts, message) => {
    expect(() => createGuard({ counts })).toThrow(refusal(message));
  });

  it("compares the counts of an escalation with the ladder as it was given, also where a person is watching", () => {
    const counts = { repeats: 3, escalates: [3, 4, 5] };

    expect(() => createGuard({ counts, ladder: ["nudge", "block", "stop"], attended: true })).not.toThrow();
  });
});
