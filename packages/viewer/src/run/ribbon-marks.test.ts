import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LoopSummary } from "../../../doomloop/src/scan/report/report.ts";
import { sampleLoop } from "../report/sample.ts";
import { ribbonBadges, ribbonMarks } from "./ribbon-marks.ts";

const loop = (onset: number, end: number, decisions: LoopSummary["decisions"] = []) =>
  sampleLoop({ onset, end, decisions });

describe("the marks of a ribbon", () => {
  it("stand in one line where there is room, and below each other where there is none", () => {
    const decisions = [
      { call: 5, action: "nudge" as const },
      { call: 7, action: "block" as const },
      { call: 8, action: "stop" as const },
    ];
    const lanes = (widthPx: number) => ribbonMarks([loop(1, 9, decisions)], 100, widthPx).map(({ lane }) => lane);

    expect(lanes(1_900)).toEqual([0, 0, 0]);
    expect(lanes(362)).toEqual([0, 1, 2]);
  });

  it("all of one kind stand in one line", () => {
    const action = (call: number) => (call < 52 ? ("nudge" as const) : ("block" as const));
    const decisions = [35, 41, 51, 53, 56, 60].map((call) => ({ call, action: action(call) }));
    const marks = ribbonMarks([loop(22, 60, decisions)], 60, 300);

    expect(marks.filter((mark) => mark.action === "nudge").map(({ lane }) => lane)).toEqual([0, 0, 0]);
    expect(marks.filter((mark) => mark.action === "block").map(({ lane }) => lane)).toEqual([1, 1]);
  });

  it("never lie on each other, whatever the guard would have done", () => {
    const decision = fc.record({
      call: fc.integer({ min: 1, max: 3_000 }),
      action: fc.constantFrom("nudge", "block", "restart", "stop"),
    });
    fc.assert(
      fc.property(fc.array(decision, { maxLength: 60 }), fc.integer({ min: 300, max: 1_400 }), (decisions, widthPx) => {
        const marks = ribbonMarks([loop(1, 3_000, decisions as LoopSummary["decisions"])], 3_000, widthPx);
        for (const lane of new Set(marks.map((mark) => mark.lane))) {
          const places = marks.filter((mark) => mark.lane === lane).map(({ call }) => (call / 3_000) * widthPx);
          for (const [at, place] of places.slice(1).entries()) expect(place - places[at]!).toBeGreaterThanOrEqual(18);
        }
        expect(Math.max(0, ...marks.map(({ lane }) => lane))).toBeLessThan(4);
      }),
    );
  });
});

describe("the numbers of loops over a ribbon", () => {
  it("share a badge where they would lie on each other", () => {
    const loops = [loop(301, 312), loop(317, 336), loop(501, 507)];
    const texts = (widthPx: number) => ribbonBadges(loops, 620, widthPx).map(({ text }) => text);

    expect(texts(1_140)).toEqual(["1", "2", "3"]);
    expect(texts(362)).toEqual(["1–2", "3"]);
  });

  it("say how many they are where they are not in a row", () => {
    const loops = [loop(1, 10), loop(2, 90), loop(3, 8)];

    expect(ribbonBadges(loops, 100, 362).map(({ text }) => text)).toEqual(["2 loops", "2"]);
  });

  it("never lie on each other and stay within the ribbon", () => {
    const place = fc.tuple(fc.integer({ min: 1, max: 3_000 }), fc.integer({ min: 0, max: 400 }));
    fc.assert(
      fc.property(fc.array(place, { maxLength: 60 }), fc.integer({ min: 300, max: 1_400 }), (places, widthPx) => {
        const loops = places.map(([onset, length]) => loop(onset, Math.min(3_000, onset + length)));
        const badges = ribbonBadges(loops, 3_000, widthPx);
        let free = 0;
        for (const badge of badges) {
          expect(badge.atPx - badge.widthPx / 2).toBeGreaterThanOrEqual(free);
          free = badge.atPx + badge.widthPx / 2;
        }
        expect(free).toBeLessThanOrEqual(widthPx);
        expect(badges.length > 0).toBe(loops.length > 0);
      }),
    );
  });
});
