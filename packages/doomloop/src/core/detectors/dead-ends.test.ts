import fc from "fast-check";
import { expect, it } from "vitest";
import { decisionsOf, step } from "../../../../../test/builders.ts";
import { propertyRuns } from "../../../../../test/property-runs.ts";

const look = (name: string) => step("read_file", { path: `${name}.ts` }, `export const ${name} = "nothing but this";`);
const inOrder = (places: readonly number[]) => places.flatMap((at) => look(["cart", "order", "price", "stock"][at]!));
const PLACES = [0, 1, 2, 3, 2, 0, 3, 1, 0, 1, 3, 2];

it("tells of calls that were all made before, in any order, and not in the first lap", () => {
  expect(decisionsOf(inOrder(PLACES.slice(0, 5)))).toEqual([]);
  expect(decisionsOf(inOrder(PLACES))[0]).toMatchObject({ action: "nudge" });
});

it("leaves them alone where something new is learned in between", () => {
  expect(decisionsOf(PLACES.flatMap((at, lap) => [...inOrder([at]), ...look(`part-${lap}-of-it`)]))).toEqual([]);
});

it("ends the run, whatever their order", () => {
  const property = fc.property(fc.array(fc.nat(3), { minLength: 120, maxLength: 120 }), (places) => {
    expect(decisionsOf(inOrder(places)).at(-1)?.action).toBe("stop");
  });
  fc.assert(property, { numRuns: Math.ceil(propertyRuns() / 50) });
});
