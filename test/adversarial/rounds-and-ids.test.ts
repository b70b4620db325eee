import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../packages/doomloop/src/core/event.ts";
import { actionsOf, call, decisionsOf, newGuard, result, round, seenStepsOf, step, times } from "../builders.ts";

const lookOnce = step("read_file", { path: "a.ts" }, "export const a = 1;");
/** The calls of one model answer, then their results. */
const batch = (count: number, output: string): AgentEvent[] => [
  ...Array.from({ length: count }, (_, at) => call("read_file", { path: "a.ts" }, { id: `call-${at}` })),
  ...Array.from({ length: count }, (_, at) => result(output, { id: `call-${at}` })),
];

describe("a call sent twice", () => {
  const sent = call("read_file", { path: "a.ts" }, { id: "x" });
  const answered = result("export const a = 1;", { id: "x" });

  it("is no repeat while its first sending is open", () => {
    expect(actionsOf([sent, sent, sent, sent, sent, answered])).toEqual([]);
  });

  it("counts once a round, however often each is sent", () => {
    expect(decisionsOf(times(2, [sent, sent, sent, answered]))).toEqual([]);
    expect(decisionsOf(times(3, [sent, sent, sent, answered]))).toMatchObject([{ finding: { count: 3 } }]);
  });

  it("is a repeat where the first was answered, though the id is the same", () => {
    expect(actionsOf(times(3, [sent, answered]))).toEqual(["nudge"]);
  });
});

describe("equal calls in one answer", () => {
  it("are one step, by five", () => {
    expect(actionsOf(batch(5, "export const a = 1;"))).toEqual([]);
    expect(actionsOf(times(2, batch(5, "export const a = 1;")))).toEqual([]);
  });

  it("are found at the third answer, as one call each would be", () => {
    const decisions = decisionsOf(times(3, batch(5, "export const a = 1;")));

    expect(decisions).toMatchObject([{ action: "nudge", finding: { kind: "repeated-call", count: 3 } }]);
    expect(decisions[0]!.at).toBeGreaterThanOrEqual(25);
  });

  it("are one step with announced rounds too, even when each is answered before the next is made", () => {
    const answer = [round, ...times(5, lookOnce)];

    expect(actionsOf([...answer, ...answer])).toEqual([]);
    expect(decisionsOf(times(3, answer))).toMatchObject([{ finding: { count: 3 } }]);
  });

  it("are one step of a round each where only the rounds tell them apart", () => {
    expect(decisionsOf(times(3, [round, ...lookOnce]))).toMatchObject([{ finding: { count: 3 } }]);
  });
});

describe("ids", () => {
  it("may be the same for every call of a run", () => {
    const events = Array.from({ length: 20 }, (_, at) => [
      call("read_file", { path: `${at}.ts` }, { id: "0" }),
      result(`file ${at} says something of its own: ${"x".repeat(at)}`, { id: "0" }),
    ]).flat();

    expect(actionsOf(events)).toEqual([]);
    expect(actionsOf(times(3, [call("read_file", { path: "a" }, { id: "0" }), result("a", { id: "0" })]))).toEqual([
      "nudge",
    ]);
  });

  it("name the latest open call of that id", () => {
    const guard = newGuard();
    guard.observe(call("read_file", { path: "old" }, { id: "0" }));
    guard.observe(call("read_file", { path: "new" }, { id: "0" }));
    const answered = ["one", "two"].map((output) => {
      guard.observe(result(output, { id: "0" }));
      return guard.judged()?.step.index;
    });

    expect(answered).toEqual([1, 0]);
  });

  it("may be missing: a result without one belongs to the oldest open call", () => {
    const pair = [call("read_file", { path: "a.ts" }), call("read_file", { path: "b.ts" }), result("a"), result("b")];

    expect(seenStepsOf(pair).map(({ step: { index } }) => index)).toEqual([0, 1]);
  });
});

describe("results", () => {
  it("may come out of order", () => {
    const pair = [
      call("read_file", { path: "a.ts" }, { id: "a" }),
      call("read_file", { path: "b.ts" }, { id: "b" }),
      result("b", { id: "b" }),
      result("a", { id: "a" }),
    ];

    expect(seenStepsOf(pair).map(({ step: { index } }) => index)).toEqual([1, 0]);
  });

  it("that come together with news are no repeats, whatever their order", () => {
    const answer = (at: number, isReversed: boolean): AgentEvent[] => {
      const results = [
        result("the same each time", { id: `a${at}` }),
        result(`another each time: ${"b".repeat(at)}`, { id: `b${at}` }),
      ];
      return [
        call("read_file", { path: "a.ts" }, { id: `a${at}` }),
        call("read_file", { path: "b.ts" }, { id: `b${at}` }),
        ...(isReversed ? results.reverse() : results),
      ];
    };

    for (const isReversed of [false, true])
      expect(actionsOf(Array.from({ length: 20 }, (_, at) => answer(at, isReversed)).flat())).toEqual([]);
  });

  it("of unknown ids are nothing", () => {
    const stray = result("nobody asked", { id: "nobody" });

    expect(actionsOf([...lookOnce, ...times(9, [stray])])).toEqual([]);
    expect(actionsOf(times(2, [...lookOnce, stray, stray]))).toEqual([]);
    expect(actionsOf(times(3, [...lookOnce, stray, stray]))).toEqual(["nudge"]);
  });

  it("that come twice count once", () => {
    const twice = [
      call("read_file", { path: "a.ts" }, { id: "x" }),
      result("a", { id: "x" }),
      result("a", { id: "x" }),
      result("a", { id: "x" }),
    ];

    expect(actionsOf(times(2, twice))).toEqual([]);
    expect(actionsOf(times(3, twice))).toEqual(["nudge"]);
  });

  it("that never come cost nothing but their own step", () => {
    const lost = (at: number) => call("read_file", { path: `lost-${at}` }, { id: `lost-${at}` });
    const events = [0, 1, 2].flatMap((at) => [
      lost(at),
      call("read_file", { path: "a.ts" }, { id: `a${at}` }),
      result("export const a = 1;", { id: `a${at}` }),
    ]);

    expect(decisionsOf(events)).toMatchObject([{ finding: { kind: "repeated-call", count: 3 } }]);
  });

  it("that never come in a thousand parallel calls leave a working guard", () => {
    const open = Array.from({ length: 1000 }, (_, at) => call("read_file", { path: `${at}` }, { id: `${at}` }));

    expect(
      actionsOf([
        ...lookOnce,
        ...open,
        ...times(3, [call("read_file", { path: "b" }, { id: "x" }), result("b", { id: "x" })]),
      ]),
    ).toEqual(["nudge"]);
  });
});

describe("twins of a refused call", () => {
  it("are refused too, and count once", () => {
    const events = [
      ...times(4, [round, ...lookOnce]),
      round,
      ...batch(3, "export const a = 1;").slice(0, 3),
      round,
      lookOnce[0]!,
    ];

    expect(actionsOf(events, { levels: { refused: 5, ended: 6 } })).toEqual([
      "nudge",
      "nudge",
      "block",
      "block",
      "block",
      "stop",
    ]);
  });
});
