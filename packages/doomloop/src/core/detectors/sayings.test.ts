import fc from "fast-check";
import { expect, it } from "vitest";
import { decisionsOf, step } from "../../../../../test/builders.ts";
import { propertyRuns } from "../../../../../test/property-runs.ts";

const plans = [
  "Plan: read the invoices, compare the totals, write the report.",
  "Plan: compare the totals after reading the invoices, then write the report.",
  "The plan is to read invoices, compare their totals and write a report.",
  "Plan: first read the invoices, then compare totals, then write the report.",
  "Plan: read the invoices and compare the totals, write the report at the end.",
  "Plan: read and compare the totals of the invoices, write the report.",
];
const others =
  "The key is in the drawer. Lamps cost twelve francs. Nobody answers. Rain delays the ferry. Two boxes broke.";
const think = (thought: string) => step("think", { thought }, "Noted.");
const look = (at: number) =>
  step("read_file", { path: `${at}.txt` }, `invoice ${at}: ${at * 13} lamps for number ${at}`);

it("tells of one thing said in other words by the sixth time, and not at the third, in whatever order", () => {
  expect(decisionsOf(plans.flatMap(think))[0]).toMatchObject({ finding: { kind: "similar-call", tools: ["think"] } });
  const property = fc.property(fc.shuffledSubarray(plans, { minLength: plans.length }), (said) => {
    expect(decisionsOf(said.slice(0, 3).flatMap(think))).toEqual([]);
    expect(decisionsOf([...said, ...said].flatMap(think))).not.toEqual([]);
  });
  fc.assert(property, { numRuns: Math.ceil(propertyRuns() / 20) });
});

it("leaves thoughts alone that say something else each, or have work in between", () => {
  expect(decisionsOf(others.split(". ").flatMap(think))).toEqual([]);
  expect(decisionsOf(plans.flatMap((plan, at) => [...think(plan), ...look(at)]))).toEqual([]);
});
