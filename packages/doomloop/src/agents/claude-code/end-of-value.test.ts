import fc from "fast-check";
import { expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { endOfValue } from "./end-of-value.ts";

it("finds the end of any value, whatever follows", () => {
  const followers = fc.constantFrom(",", "}", "]", ',"b":"}"}');
  fc.assert(
    fc.property(fc.jsonValue(), followers, (value, follower) => {
      const text = JSON.stringify({ value }).slice(0, -1) + follower;
      const from = '{"value":'.length;

      expect(text.slice(from, endOfValue(text, from))).toBe(JSON.stringify(value));
    }),
    { numRuns: propertyRuns() },
  );
});

it.each([String.raw`"a\"b\\" ,`, String.raw`"\\\"" ,`, '["}", "]"],', '{"a":[{"b":"\\""}]},'])(
  "ends %s before what follows",
  (text) => {
    expect(endOfValue(`${text}x`, 0)).toBe(text.lastIndexOf(",") - (text.includes(" ,") ? 1 : 0));
  },
);

it.each(['"a', String.raw`"a\"`, "[1,", '{"a":"b}', "12", ""])("finds no end of %o", (text) => {
  expect(endOfValue(text, 0)).toBe(-1);
});
