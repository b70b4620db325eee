import { describe, expect, it } from "vitest";
import { decisionsOf, step } from "../../testing/events.ts";

const plans = [
  "Plan: read the invoices, compare the totals, write the report.",
  "Plan: compare the totals after reading the invoices, then write the report.",
  "The plan is to read invoices, compare their totals and write a report.",
  "Plan: first read the invoices, then compare totals, then write the report.",
  "Plan: read the invoices and compare the totals, write the report at the end.",
  "Plan: read and compare the totals of the invoices, write the report.",
];
const think = (thought: string) => step("think", { thought }, "Noted.");

describe("one thing said in other words", () => {
  it("is told of by the sixth time, and not at the third", () => {
    expect(decisionsOf(plans.slice(0, 3).flatMap(think))).toEqual([]);
    expect(decisionsOf(plans.flatMap(think))[0]).toMatchObject({ finding: { kind: "similar-call", tools: ["think"] } });
  });

  it("is left alone where each says something else", () => {
    const thoughts = [
      "The key is in the drawer.",
      "Lamps cost twelve francs.",
      "Nobody answers the phone.",
      "Rain delays the ferry.",
    ];

    expect(decisionsOf([...thoughts, "Two boxes arrived broken.", "The museum opens at ten."].flatMap(think))).toEqual(
      [],
    );
  });

  it("is left alone where work comes in between", () => {
    const events = plans.flatMap((plan, at) => [
      ...think(plan),
      ...step("read_file", { path: `invoice-${at}.txt` }, `invoice ${at}: ${at * 13} lamps for customer number ${at}`),
    ]);

    expect(decisionsOf(events)).toEqual([]);
  });
});
