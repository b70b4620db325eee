import { describe, expect, it } from "vitest";
import { sampleLoop, sampleRow } from "../report/sample.ts";
import { groupLoops } from "./group-loops.ts";

const amount = (value: number, isEstimated = false) => ({ low: value, high: value * 2, isEstimated });
const priced = (usd: number) => ({ calls: 4, tokens: amount(100), costUsd: amount(usd) });
const unpriced = { calls: 4, tokens: amount(70, true), costUsd: null };

describe("groups of loops", () => {
  it("sum up what their loops cost, the dearest first", () => {
    const rows = [
      sampleRow({ agent: "a", loop: sampleLoop({ afterOnset: priced(1) }) }),
      sampleRow({ agent: "b", loop: sampleLoop({ afterOnset: priced(5) }) }),
      sampleRow({ agent: "a", loop: sampleLoop({ afterOnset: priced(2) }) }),
    ];

    expect(groupLoops(rows, "agent", "cost").map(({ name, loops, costUsd }) => [name, loops, costUsd])).toEqual([
      ["b", 1, amount(5)],
      ["a", 2, amount(3)],
    ]);
  });

  it("keep the tokens of loops without a price apart", () => {
    const rows = [priced(1), unpriced].map((afterOnset) => sampleRow({ loop: sampleLoop({ afterOnset }) }));

    expect(groupLoops(rows, "kind", "cost")[0]).toMatchObject({
      costUsd: amount(1),
      tokens: { low: 170, isEstimated: true },
      unpricedTokens: { low: 70 },
    });
  });

  it("have no cost, rather than one of nothing, where no loop has a price", () => {
    const rows = [sampleRow({ loop: sampleLoop({ afterOnset: unpriced }) })];

    expect(groupLoops(rows, "agent", "cost")[0]?.costUsd).toBeNull();
  });

  it("divide a loop among its tools, so that the parts make the whole", () => {
    const rows = [sampleRow({ loop: sampleLoop({ tools: ["Read", "Bash", "Read"], afterOnset: priced(3) }) })];
    const groups = groupLoops(rows, "tool", "cost");

    expect(groups.map(({ name, calls, costUsd }) => [name, calls, costUsd?.low])).toEqual([
      ["Read", 2, 1.5],
      ["Bash", 2, 1.5],
    ]);
  });

  it("order by the measure that is asked for", () => {
    const rows = [
      sampleRow({ agent: "dear", loop: sampleLoop({ afterOnset: { ...priced(9), calls: 1 } }) }),
      sampleRow({ agent: "long", loop: sampleLoop({ afterOnset: { ...priced(1), calls: 50 } }) }),
    ];

    expect(groupLoops(rows, "agent", "cost")[0]?.name).toBe("dear");
    expect(groupLoops(rows, "agent", "calls")[0]?.name).toBe("long");
  });

  it("have a place for loops without a project", () => {
    expect(groupLoops([sampleRow()], "project", "calls").map(({ name }) => name)).toEqual([null]);
  });
});
