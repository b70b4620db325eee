import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { isDoomloopError } from "../doomloop-error.ts";
import { type Packed, pack, packNumbers, unpack, unpackNumbers } from "./pack.ts";

/** A value after a time as JSON. */
const again = (value: unknown) => unpack(JSON.parse(JSON.stringify(pack(value))));
const sizeOf = (value: unknown) => JSON.stringify(pack(value)).length;

describe("pack", () => {
  it.each<[string, unknown]>([
    ["an object with nothing in it that is not there", { a: 1, b: "text", c: true, d: undefined, e: [] }],
    ["objects of one shape and of another", [{ a: 1, b: 2 }, { a: 3, b: 4 }, { b: 5, a: 6 }, { a: 7 }]],
    [
      "a map, also in a map",
      new Map<unknown, unknown>([
        ["key", { a: new Map([["in", 1]]) }],
        ["another", [undefined]],
      ]),
    ],
    ["an empty map, an empty list and an empty object", { map: new Map(), list: [], object: {} }],
    ["a list of small numbers", [0, 1, 65_535, 7, 8]],
    ["lists of small numbers that are mostly 0", [Array(9).fill(0), [0, 0, 7, 0, 0, 0, 0, 65_535], [3, 0, 0, 0, 0]]],
    [
      "lists of other numbers",
      [
        [-1, 1, 2, 3],
        [0.5, 1, 2, 3],
        [65_536, 1, 2, 3],
        [1, 2],
      ],
    ],
    ["lists with holes", [undefined, 1, undefined, 2, 3]],
    ["texts that look like what it writes", ["~0", "#AAAA", "%AAAA", "~", "#", "%", "", "~~~~~~~~", "a blank in it"]],
    ["large numbers", [1e300, -1e300, 2 ** 53, 100_000, -100_000, 1_770_000_000_000.5]],
    ["what is no list and no object", "only words"],
  ])("keeps %s", (_what, value) => {
    expect(again(value)).toEqual(value);
  });

  it("writes a table in the room that its marks take, not its empty places", () => {
    const table = new Uint16Array(4096);
    table.set([7, 8], 4000);

    expect(sizeOf({ table })).toBeLessThan(100);
    expect(sizeOf({ table: table.fill(9) })).toBeLessThan(11_100);
  });

  it("writes a long text once, and the keys of a shape once", () => {
    const digest = "a digest of some length, as they are";
    const grown = (value: (count: number) => unknown) => (sizeOf(value(200)) - sizeOf(value(100))) / 100;

    expect(grown((count) => Array.from({ length: count }, () => digest))).toBeLessThan(8);
    expect(grown((count) => Array.from({ length: count }, () => ({ aLongName: true, another: false })))).toBeLessThan(
      16,
    );
    expect(grown((count) => Array.from({ length: count }, () => 40_000))).toBeLessThan(3);
  });

  it("keeps any plain data", () => {
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.string(),
        fc.constantFrom("~0", "#AA", "%AA", "the same text again"),
        fc.integer(),
        fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (Object.is(number, -0) ? 0 : number)),
        fc.integer({ min: 900_000, max: 1_100_000 }),
        fc.boolean(),
        fc.constant(undefined),
        fc.array(fc.nat(65_535), { maxLength: 12 }),
        fc.array(tie("value"), { maxLength: 5 }),
        fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), tie("value"), {
          noNullPrototype: true,
          maxKeys: 5,
        }),
        fc
          .array(fc.tuple(fc.string(), tie("value")), { maxLength: 5 })
          .map((entries) => new Map<unknown, unknown>(entries)),
      ),
    }));
    const property = fc.property(value, (data) => {
      expect(again(data)).toStrictEqual(data);
    });
    fc.assert(property, { numRuns: propertyRuns() });
  });
});

describe("unpack", () => {
  const packed = (value: unknown): Packed => ({ texts: [], shapes: ["a b"], value });
  const nested = (depth: number): unknown => JSON.parse(`${"[-1,".repeat(depth)}0${"]".repeat(depth)}`);

  it.each<[string, unknown]>([
    ["an unknown shape", [7, 1, 2]],
    ["a shape that is no number", ["x", 1]],
    ["a shape that is no number, but an object", [{ toString: false }]],
    ["a shape by the name of a method", ["toString"]],
    ["a maze", nested(40)],
    ["a maze as deep as a stack", nested(5000)],
  ])("refuses %s", (_what, value) => {
    expect(() => unpack(packed(value))).toThrow(expect.objectContaining({ code: "invalid-snapshot" }));
  });

  it.each<[string, unknown]>([
    ["a text that is not there", "~9"],
    ["numbers that are none", "#!"],
    ["mostly zeros that are none", "%!"],
    ["too few values for a shape", [0, 1]],
    ["too many", [0, 1, 2, 3]],
    ["a map with half an entry", [-2, "a"]],
    ["an object", { a: 1 }],
    ["nothing", undefined],
  ])("makes something of %s", (_what, value) => {
    expect(() => unpack(packed(value))).not.toThrow();
  });

  it("takes nothing from a prototype", () => {
    const made = unpack({ texts: [], shapes: ["__proto__ a"], value: [0, [-1, 1], 2] }) as object;

    expect(Object.getPrototypeOf(made)).toBe(Object.prototype);
    expect(Object.keys(made)).toEqual(["__proto__", "a"]);
    expect(unpack(packed(["constructor"].map(() => "~constructor")[0]))).toBeUndefined();
  });

  it("makes something of whatever JSON it is given, or refuses it as what it is", () => {
    const property = fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      try {
        unpack(packed(value));
      } catch (fault) {
        expect(isDoomloopError(fault)).toBe(true);
      }
    });
    fc.assert(property, { numRuns: propertyRuns() });
  });
});

describe("packNumbers", () => {
  it("needs eight characters for three numbers", () => {
    expect(packNumbers(new Uint16Array(2048))).toHaveLength(5464);
  });

  it("writes nothing for no numbers", () => {
    expect(packNumbers(new Uint16Array())).toBe("");
    expect(unpackNumbers("")).toEqual(new Uint16Array());
  });

  it("is undone by unpackNumbers and needs no escape in JSON", () => {
    const property = fc.property(fc.uint16Array(), (numbers) => {
      const text = packNumbers(numbers);

      expect(unpackNumbers(text)).toEqual(numbers);
      expect(JSON.stringify(text)).toHaveLength(text.length + 2);
    });
    fc.assert(property, { numRuns: propertyRuns() });
  });
});

describe("unpackNumbers", () => {
  it.each([["A"], ["AA"], ["AAAA"], ["AA!"], ["AAB"], ["AA="], ["AA "], ["ÄÄÄ"]])("refuses %j", (text) => {
    expect(unpackNumbers(text)).toBeUndefined();
  });

  it.each([[undefined], [null], [7], [["AAA"]], [{}]])("refuses %j, which is no text", (value) => {
    expect(unpackNumbers(value)).toBeUndefined();
  });

  it("accepts only what packNumbers writes", () => {
    const property = fc.property(fc.string(), (text) => {
      const numbers = unpackNumbers(text);

      if (numbers) expect(packNumbers(numbers)).toBe(text);
    });
    fc.assert(property, { numRuns: propertyRuns() });
  });
});
