import { describe, expect, it } from "vitest";
import { plainLoopsInstrument } from "../../bench/quality/instruments/plain-loops.ts";
import { OURS } from "../../bench/quality/judged-run.ts";
import { BY, biteOf, CLEAR_BY, isInTime, plainLoops, settings } from "../../bench/teeth/measure-teeth.ts";
import type { PlainLoop } from "../../bench/teeth/plain-loop.ts";
import type { Action } from "../../packages/doomloop/src/core/decision.ts";
import type {} from "../../packages/doomloop/src/index.ts";
import { madeUpGuard } from "./made-up-guard.ts";

const [loop] = plainLoops as readonly [PlainLoop];
const usual = settings.find(({ name }) => name === "usual")!;
/** Words from the third call on, refusals from the tenth, and the end at the twentieth. */
const strict = (call: number): Action => (call < 3 ? "continue" : call < 10 ? "nudge" : call < 20 ? "block" : "stop");

describe("the plain loops", () => {
  it("are 87, each under a name of its own", () => {
    expect(new Set(plainLoops.map(({ name }) => name)).size).toBe(87);
  });

  it("make the same calls each time", () => {
    const steps = (): unknown[] => plainLoops.flatMap(({ step }) => [step(0), step(1), step(50)]);

    expect(steps()).toEqual(steps());
  });

  it("go on with hosts of every kind", () => {
    expect(settings).toHaveLength(16);
    expect(settings.filter(({ hasClock }) => !hasClock)).toHaveLength(4);
  });
});

describe("a bite", () => {
  it("is the repeats at which the agent was told, refused and ended", () => {
    expect(biteOf(loop, usual, madeUpGuard(strict))).toEqual({ told: 3, refused: 10, ended: 20 });
  });

  it("is nothing if nothing was said in a hundred calls", () => {
    expect(
      biteOf(
        loop,
        usual,
        madeUpGuard(() => "continue"),
      ),
    ).toEqual({});
  });

  it("tells the guard no more than the host knows", () => {
    const bare = settings.find(({ name }) => name === "no clock, no rounds, no flags")!;
    const seen: object[] = [];
    const guard = madeUpGuard(() => "continue")();
    const watching = {
      ...guard,
      observe(event: Parameters<typeof guard.observe>[0]) {
        seen.push(event);
        return guard.observe(event);
      },
    };

    biteOf(loop, bare, () => watching);

    expect(seen).toHaveLength(200);
    expect(seen.some((event) => "at" in event || "error" in event)).toBe(false);
  });

  it.each([
    { bite: { refused: 35, ended: 70 }, by: BY, isEnough: true },
    { bite: { refused: 36, ended: 70 }, by: BY, isEnough: false },
    { bite: { refused: 35, ended: 71 }, by: BY, isEnough: false },
    { bite: { refused: 35 }, by: BY, isEnough: false },
    { bite: { ended: 30 }, by: BY, isEnough: true },
    { bite: { refused: 10, ended: 20 }, by: CLEAR_BY, isEnough: true },
    { bite: { refused: 11, ended: 20 }, by: CLEAR_BY, isEnough: false },
  ])("is in time or not: $bite by $by", ({ bite, by, isEnough }) => {
    expect(isInTime(loop, bite, by)).toBe(isEnough);
  });

  it("need not refuse what leads out of the run", () => {
    expect(isInTime({ ...loop, isWayOut: true }, { ended: 70 }, BY)).toBe(true);
  });
});

it("the figures are shares of loops in time, by host", () => {
  const { size, figures } = plainLoopsInstrument(madeUpGuard(strict));

  expect(size).toBe(87);
  expect(figures).toHaveLength(8);
  expect(figures.map(({ values }) => values[OURS])).toEqual(figures.map(() => 1));
});
