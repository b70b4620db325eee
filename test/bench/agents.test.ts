import { describe, expect, it } from "vitest";
import { liveHonestly, liveStuck, STUCK_WAYS } from "../../bench/quality/agents.ts";
import { items, liveSeries } from "../../bench/quality/series.ts";
import type { Action } from "../../packages/doomloop/src/core/decision.ts";
import type { AgentEvent } from "../../packages/doomloop/src/index.ts";
import { call, result, round, text, times } from "../builders.ts";
import { madeUpGuard } from "./made-up-guard.ts";

const timed = (second: number, tool: string): AgentEvent[] => [
  round,
  call(tool, { path: "a" }, { id: `c${second}`, at: 1_000 * second }),
  result("same", { id: `c${second}`, at: 1_000 * second + 400 }),
];
/** A guard that refuses the second call twice, and what it has seen. */
const watching = (answer: (number: number) => Action) => {
  const seen: (AgentEvent & { type: "call" })[] = [];
  const createGuard = madeUpGuard((number, event) => {
    seen.push(event);
    return answer(number);
  });
  return { seen, createGuard };
};
const twice = (number: number): Action => (number === 2 || number === 3 ? "block" : "continue");

describe("an honest agent that is refused", () => {
  const run = [...timed(1, "poll"), ...timed(5, "poll"), ...timed(9, "read")];

  it("insists until it gets through, and loses a turn each time", () => {
    const { seen, createGuard } = watching(twice);

    expect(liveHonestly(run, "insists", createGuard)).toEqual({
      isTold: true,
      isEnded: false,
      refusedCalls: 1,
      turnsLost: 2,
    });
    expect(seen.map(({ tool }) => tool)).toEqual(["poll", "poll", "poll", "poll", "read"]);
  });

  it("waits for half a minute, and everything after it comes later", () => {
    const { seen, createGuard } = watching(twice);

    liveHonestly(run, "waits", createGuard);

    expect(seen.map(({ at }) => at! / 1_000)).toEqual([1, 5, 38, 71, 75]);
  });

  it("looks at something else that is new each time", () => {
    const { seen, createGuard } = watching((number) => (number === 2 || number === 4 ? "block" : "continue"));

    liveHonestly(run, "looks", createGuard);

    expect(seen.map(({ tool }) => tool)).toEqual(["poll", "poll", "read_notes", "poll", "read_notes", "poll", "read"]);
    expect(seen[2]!.args).not.toEqual(seen[4]!.args);
  });

  it("is ended, and that is the end", () => {
    const { seen, createGuard } = watching((number) => (number === 2 ? "stop" : "continue"));

    expect(liveHonestly(run, "insists", createGuard)).toMatchObject({ isEnded: true, turnsLost: 0 });
    expect(seen).toHaveLength(2);
  });
});

describe("an agent that is stuck", () => {
  const run = [1, 2, 3, 4].flatMap((second) => timed(second, "read"));
  const loop = { class: "exact", expect: "spoken", span: [0, 3], from: 2, by: 3 } as const;

  it.each(STUCK_WAYS)("goes on for eighty calls, as one that %s", (way) => {
    const { seen, createGuard } = watching(() => "continue");

    expect(liveStuck(run, loop, way, createGuard)).toEqual({});
    expect(seen.filter(({ tool }) => tool === "read")).toHaveLength(82);
    expect(seen.map(({ at }) => at)).toEqual(seen.map(({ at }) => at!).toSorted((one, other) => one - other));
  });

  it("is told, refused and ended so many calls after the first word was justified", () => {
    const { createGuard } = watching((number) =>
      number < 5 ? "continue" : number < 10 ? "nudge" : number < 20 ? "block" : "stop",
    );

    expect(liveStuck(run, loop, "repeats", createGuard)).toEqual({ told: 2, refused: 7, ended: 17 });
  });

  it("looks at something new after every third lap, if it digresses", () => {
    const { seen, createGuard } = watching(() => "continue");

    liveStuck(run, loop, "digresses", createGuard);

    expect(seen.slice(4, 11).map(({ tool }) => tool)).toEqual([
      "read",
      "read",
      "read_notes",
      "read",
      "read",
      "read",
      "read_notes",
    ]);
  });

  it("goes on with words where there are no calls", () => {
    const chant = [...timed(1, "read"), ...times(3, [round, text("Now I will begin.")]).flat()];
    let texts = 0;
    const guard = madeUpGuard(() => "continue")();

    liveStuck(chant, { ...loop, span: [0, 0], from: 0, by: 0 }, "repeats", () => ({
      ...guard,
      observe(event) {
        if (event.type === "text") texts++;
        return guard.observe(event);
      },
    }));

    expect(texts).toBeGreaterThan(80);
  });
});

describe("an honest series", () => {
  it("is ended within the calls asked for, or while the agent insists", () => {
    const endedAt = (last: number) =>
      watching((number) => (number === last ? "stop" : number > 10 ? "block" : "continue"));

    expect(liveSeries(items[0]!, endedAt(24).createGuard)).toMatchObject({
      endedAt: 24,
      isEndedWithin: true,
      refusals: 13,
    });
    expect(liveSeries(items[0]!, endedAt(25).createGuard)).toMatchObject({ endedAt: 25, isEndedWithin: false });
  });
});
