import fc from "fast-check";
import { expect, it } from "vitest";
import { decisionsOf, step } from "../../../../../test/builders.ts";
import { propertyRuns } from "../../../../../test/property-runs.ts";

const LINES = [
  "Lamps and chairs",
  "Tables of oak",
  "Opening hours",
  "How to find us in the city",
  "Your basket is empty",
];
const click = (element: string, output: string) => step("browser_click", { element }, output);
const woods = ["oak", "pine", "beech", "birch", "maple", "cedar", "larch", "walnut"];
const page = (wood: string) => `Tables of ${wood}\nChairs of ${wood}\nBeds of ${wood}\nWhat ${wood} costs a metre`;
const template = "The order was packed on the second floor, and handed to the carrier. ".repeat(4);
const order = (at: number) =>
  step("read_order", { number: at }, `${template}It is for ${"BDKLM"[at % 5]}${"aeiou"[at % 4]}n, order ${at}.`);

it("tells of calls that are never the same and bring only what is known, in whatever order, and not at the second", () => {
  const property = fc.property(fc.array(fc.shuffledSubarray(LINES, { minLength: 5 }), { minLength: 40 }), (pages) => {
    const events = pages.flatMap((lines, at) => click(`${"link".repeat(at % 3)} ${at} of ${at * 3}`, lines.join("\n")));
    expect(decisionsOf(events.slice(0, 4))).toEqual([]);
    expect(["stalled", "same-outcome"]).toContain(decisionsOf(events)[0]?.finding?.kind);
  });
  fc.assert(property, { numRuns: Math.ceil(propertyRuns() / 50) });
});

it("leaves calls alone that each bring something new, if only a word in a long answer", () => {
  expect(decisionsOf(woods.flatMap((wood) => click(wood, page(wood))))).toEqual([]);
  expect(decisionsOf(Array.from({ length: 90 }, (_, at) => order(at)).flat())).toEqual([]);
});
