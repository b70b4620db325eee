import fc from "fast-check";
import { expect, it } from "vitest";
import { call, decisionsOf, failure, result, step } from "../../../../../test/builders.ts";
import { propertyRuns } from "../../../../../test/property-runs.ts";

const npmTest = call("bash", { command: "npm test" });
const edit = (text: string) => step("edit_file", { path: "src/slots.ts", text }, "Edited src/slots.ts.");
const lap = (at: number, words: string) => [...edit(`attempt ${"x".repeat(at)}`), npmTest, failure(words)];
const alike = [1, 2, 3, 4, 5, 6].map((at) => lap(at, "FAIL src/slots.test.ts: expected 3 slots, got 4"));
const names = ["cart", "order", "price", "stock", "user", "mail"];

it("tells of a check that fails in spite of changes at the fifth failure, and not before", () => {
  expect(decisionsOf(alike.slice(0, 4).flat())).toEqual([]);
  expect(decisionsOf(alike.flat())[0]).toMatchObject({ finding: { kind: "test-fix", count: 5 } });
});

it("leaves it alone where it passes in between, or fails at another place each time", () => {
  const passes = [npmTest, result("12 tests passed")];

  expect(decisionsOf([...alike.slice(0, 3).flat(), ...passes, ...alike.slice(3).flat()])).toEqual([]);
  expect(decisionsOf(names.flatMap((name, at) => lap(at, `FAIL src/${name}.test.ts: ${name} is not ${name}`)))).toEqual(
    [],
  );
});

it("tells of it whatever is changed, and whatever clock it shows", () => {
  const property = fc.property(fc.uniqueArray(fc.nat(49), { minLength: 8, maxLength: 8 }), (seconds) => {
    const events = seconds.flatMap((at) => lap(at, `FAIL at 12:00:${10 + at}: expected 3 slots, took ${at} ms`));
    expect(decisionsOf(events)).not.toEqual([]);
  });
  fc.assert(property, { numRuns: Math.ceil(propertyRuns() / 20) });
});
