import { runInNewContext } from "node:vm";
import { createGuard } from "doomloop";
import { describe, expect, it } from "vitest";
import { call, result, round } from "../builders.ts";

/** Tells enough to show that nothing has happened. */
const answer = result("The thing is where it was, in the third box from the left. Nobody has touched it since Monday.");

/** Whether a guard tells two values apart: a pair of calls that alternate is found at another time than one call. */
function areEqual(one: unknown, other: unknown): boolean {
  const guard = createGuard({
    detectors: { "call-cycle": false, "similar-call": false, "same-outcome": false, stalled: false },
  });
  const actions = [one, other, one].map((args) => {
    guard.observe(round);
    guard.observe(call("get_thing", { args }));
    return guard.observe(answer).action;
  });
  return actions.at(-1) === "nudge";
}

const cyclic = (): unknown => {
  const value: { self?: unknown; a: number } = { a: 1 };
  value.self = value;
  return value;
};
const nested = (depth: number): unknown => {
  let value: unknown = 1;
  for (let at = 0; at < depth; at++) value = at % 2 === 0 ? [value] : { value };
  return value;
};
const sparse = (): unknown[] => {
  const list: unknown[] = [1];
  list[2] = 3;
  return list;
};

describe("values that are equal", () => {
  it.each<[string, unknown, unknown]>([
    ["keys in another order", { a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 }],
    ["not a number, twice", Number.NaN, 0 / 0],
    ["dates of the same time", new Date(5), new Date(5)],
    ["maps of the same entries", new Map([["a", 1]]), new Map([["a", 1]])],
    ["sets of the same items", new Set([1, 2]), new Set([1, 2])],
    ["the same bytes", new Uint8Array([1, 2]), new Uint8Array([1, 2])],
    ["the same big integer", 10n ** 20n, 10n ** 20n],
    ["errors of the same message", new Error("no"), new Error("no")],
    ["an object without a prototype", Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
    ["an object of another realm", runInNewContext("({ a: [1] })"), { a: [1] }],
    ["the same lone surrogate", "\ud800", "\ud800"],
    ["the same at a depth of 40", nested(40), nested(40)],
  ])("are the same call: %s", (_, one, other) => {
    expect(areEqual(one, other)).toBe(true);
  });
});

describe("values that are not compared", () => {
  it.each<[string, unknown]>([
    ["a cycle", cyclic()],
    ["a list with a hole", sparse()],
  ])("equal nothing, not even themselves: %s", (_, value) => {
    expect(areEqual(value, value)).toBe(false);
  });
});

describe("values that differ", () => {
  it.each<[string, unknown, unknown]>([
    ["a number and its text", 1, "1"],
    ["true and its text", true, "true"],
    ["null and its text", null, "null"],
    ["null and nothing", null, undefined],
    ["not a number and null", Number.NaN, null],
    ["infinities", Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
    ["zero and less than zero", 0, -0],
    ["an integer and a big integer", 1, 1n],
    ["a big integer and its text", 1n, "1"],
    ["lone surrogates", "\ud800", "\ud801"],
    ["a lone surrogate and what stands for it", "\ud800", "\ufffd"],
    ["long texts with lone surrogates", `${"x".repeat(100)}\udc00`, `${"x".repeat(100)}\udc01`],
    ["composed and decomposed letters", "\u00e9", "e\u0301"],
    ["64-bit integers as text", "9223372036854775807", "9223372036854775806"],
    ["a bar in the first or in the second item", ["a|b", "c"], ["a", "b|c"]],
    ["a comma in the first or in the second item", ["a,b", "c"], ["a", "b,c"]],
    ["a text that is cut elsewhere", ["ab", ""], ["a", "b"]],
    ["nesting", [[1], 2], [[1, 2]]],
    ["an empty object and an empty list", {}, []],
    ["an empty text and nothing", "", undefined],
    ["a list and an object of the same entries", ["a"], { 0: "a" }],
    ["a map and an object", new Map([["a", 1]]), { a: 1 }],
    ["a set and a list", new Set([1]), [1]],
    ["dates", new Date(5), new Date(6)],
    ["a date and its text", new Date(5), new Date(5).toISOString()],
    ["a date and its number", new Date(5), 5],
    ["bytes", new Uint8Array([1]), new Uint8Array([2])],
    ["bytes and a list", new Uint8Array([1]), [1]],
    ["errors", new Error("one"), new Error("two")],
    ["a field named as the prototype", JSON.parse('{"__proto__":{"a":1}}'), JSON.parse('{"__proto__":{"a":2}}')],
    ["a field named constructor", { constructor: 1 }, { constructor: 2 }],
    ["a field named as the prototype and none", JSON.parse('{"__proto__":1}'), {}],
  ])("are different calls: %s", (_, one, other) => {
    expect(areEqual(one, one)).toBe(true);
    expect(areEqual(one, other)).toBe(false);
  });

  it("are different calls where the difference is a 64-bit integer in JSON text", () => {
    const guard = createGuard({
      detectors: { "call-cycle": false, "similar-call": false, "same-outcome": false, stalled: false },
    });
    const actions = ["9007199254740993", "9007199254740992", "9007199254740993"].map((id) => {
      guard.observe(call("get_thing", `{"id":${id}}`));
      return guard.observe(answer).action;
    });

    expect(actions).toEqual(["continue", "continue", "continue"]);
  });
});

describe("a tool's name", () => {
  it.each([
    "",
    " ",
    "__proto__",
    "constructor",
    "toString",
    "hasOwnProperty",
    "a\u0000b",
    "\ud800",
    "💥",
    "a\nb",
    "[doomloop]",
  ])("may be %j", (tool) => {
    const guard = createGuard();
    const actions = [1, 2, 3].map(() => {
      guard.observe(call(tool, {}));
      return guard.observe(answer).action;
    });

    expect(actions).toEqual(["continue", "continue", "nudge"]);
    expect(guard.stats().faults).toBe(0);
  });

  it("of absurd length equals nothing", () => {
    const guard = createGuard();
    const tool = "x".repeat(1_000_000);
    for (let at = 0; at < 20; at++) {
      guard.observe(call(tool, {}));
      expect(guard.observe(answer).action).toBe("continue");
    }
  });

  it("that is one in rules is found only where it was declared", () => {
    const guard = createGuard({ rules: { ls: { ignore: true } } });
    const third = (tool: string): string | undefined =>
      [1, 2, 3]
        .map(() => {
          guard.observe(call(tool, {}));
          return guard.observe(answer).action;
        })
        .at(-1);

    expect(third("constructor")).toBe("nudge");
    expect(third("ls")).toBe("continue");
  });
});
