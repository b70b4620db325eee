import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { platform } from "../../platform.ts";
import { canonicalOf, digestOfValue, pick } from "./canonical.ts";

/** What a value is written as, undefined if it is not compared. */
const written = (value: unknown): string | undefined => canonicalOf(value, platform)?.text;

describe("canonicalOf", () => {
  it("writes equal JSON values alike, in whatever order their keys are", () => {
    const property = fc.property(fc.jsonValue(), (value) => {
      expect(written(shuffled(value))).toBe(written(value));
    });
    fc.assert(property, { numRuns: Math.ceil(propertyRuns() / 4) });
  });

  it("writes different JSON values differently", () => {
    const property = fc.property(fc.jsonValue({ maxDepth: 2 }), fc.jsonValue({ maxDepth: 2 }), (one, other) => {
      fc.pre(typeText(one) !== typeText(other));

      expect(written(one)).not.toBe(written(other));
    });
    fc.assert(property, { numRuns: Math.ceil(propertyRuns() / 4) });
  });

  it("says where the fields of the outermost object begin, and where all ends", () => {
    const { text, fields, end } = canonicalOf({ c: [1], a: { b: "x\ny" } }, platform, "name")!;

    expect(text.slice(0, end)).toBe("name\na\nb\nx\ny\nc\n1\n");
    expect(fields.map((at) => text.slice(at, at + 1))).toEqual(["a", "c"]);
  });

  it("writes one value under two names differently", () => {
    expect(canonicalOf(1, platform, "a")?.text).not.toBe(canonicalOf(1, platform, "b")?.text);
    expect(canonicalOf("a", platform, "")?.text).not.toBe(canonicalOf("", platform, "a")?.text);
  });

  it("compares down to a depth of 64", () => {
    const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);

    expect(written(nested(64))).toBeDefined();
    expect(written(nested(65))).toBeUndefined();
  });

  it("calls a value large with more than 20,000 parts or 262,144 characters", () => {
    const isLarge = (value: unknown) => canonicalOf(value, platform)?.isLarge;

    expect(isLarge(Array(20_000).fill(1))).toBe(false);
    expect(isLarge(Array(20_001).fill(1))).toBe(true);
    expect(isLarge(Array(5).fill("x".repeat(50_000)))).toBe(false);
    expect(isLarge(Array(6).fill("x".repeat(50_000)))).toBe(true);
    expect(isLarge({ ["k".repeat(200_000)]: "x".repeat(65_000) })).toBe(true);
  });

  it("compares longer texts by their digests, up to 4 MB of them", () => {
    const picture = "x".repeat(2_000_000);

    expect(written({ picture })).toBe(written({ picture: "x".repeat(2_000_000) }));
    expect(written({ picture })).not.toBe(written({ picture: `${picture.slice(1)}y` }));
    expect(written([picture, picture])).toBeDefined();
    expect(written([picture, picture, picture])).toBeUndefined();
  });

  it.each([
    [new (class Thing {})()],
    [Symbol("s")],
    [new WeakSet()],
    [new Proxy({}, {})],
    [Promise.resolve()],
    [new Set(Array(20_001).keys())],
    [new Uint8Array(300_000)],
    [new Error()],
    [Object.assign([1], { 2: 3 })],
    [1n << 2000n],
  ])("does not compare %s", (value) => {
    expect(written(value)).toBeUndefined();
    expect(written([value])).toBeUndefined();
    expect(written({ value })).toBeUndefined();
  });

  it("does not compare what only has the prototype of a date or a map", () => {
    expect(written(Object.create(Date.prototype))).toBeUndefined();
    expect(written(Object.create(Map.prototype))).toBeUndefined();
  });

  it("does not compare a value with a getter", () => {
    expect(
      written({
        get a() {
          throw new Error("was run");
        },
      }),
    ).toBeUndefined();
  });

  it("does not compare a function, and leaves one out of what holds it, as JSON does", () => {
    expect(written(() => 1)).toBeUndefined();
    expect(written({ a: 1, run: () => 1 })).toBe(written({ a: 1, run: () => 2 }));
  });

  class Decimal {
    readonly digits: readonly number[];
    constructor(digits: readonly number[]) {
      this.digits = digits;
    }
    toJSON(): string {
      return this.digits.join("");
    }
  }
  class Row {
    readonly id: number;
    readonly price: Decimal;
    constructor(id: number) {
      this.id = id;
      this.price = new Decimal([5, 1]);
    }
  }

  it("writes an instance of a class as the model reads it: what its toJSON says, or else its fields", () => {
    expect(written(new Decimal([5, 1]))).toBe(written("51"));
    expect(written(new Row(1))).toBe(written({ id: 1, price: "51" }));
    expect(written([new Row(1)])).not.toBe(written([new Row(2)]));
  });

  it.each([
    ["a URL", () => new URL("https://example.com/a"), () => new URL("https://example.com/b")],
    ["headers", () => new Headers({ a: "b" }), () => new Headers({ a: "c" })],
    ["a query", () => new URLSearchParams("a=b"), () => new URLSearchParams("a=c")],
    ["a pattern", () => /a/, () => /b/],
    ["an error", () => new TypeError("boom"), () => new TypeError("bang")],
  ])("tells %s from another, and knows an equal one", (_, one, other) => {
    expect(written({ value: one() })).toBeDefined();
    expect(written({ value: one() })).toBe(written({ value: one() }));
    expect(written({ value: one() })).not.toBe(written({ value: other() }));
  });

  it("asks an object for its JSON once, at most 4096 of them, and never a getter or a proxy for the method", () => {
    let asked = 0;
    const itself = {
      toJSON(): unknown {
        asked++;
        return this;
      },
    };
    const told = Object.defineProperty({ a: 1 }, "toJSON", {
      get() {
        throw new Error("was run");
      },
    });

    written(itself);
    expect(asked).toBe(1);
    expect(written(Array(4096).fill(new Decimal([1])))).toBeDefined();
    expect(written(Array(4097).fill(new Decimal([1])))).toBeUndefined();
    expect(written(told)).toBe(written({ a: 1 }));
    expect(written(Object.create(new Proxy({ toJSON: () => 1 }, {})))).toBeUndefined();
  });

  it("does not compare what fails to say what it is", () => {
    const failing = {
      toJSON() {
        throw new Error("not now");
      },
    };

    expect(written(failing)).toBeUndefined();
  });

  it("takes a field without a value for none, as JSON does", () => {
    expect(written({ a: 1, b: undefined })).toBe(written({ a: 1 }));
    expect(written([1, undefined])).not.toBe(written([1]));
  });

  it("goes by the same value in two places, which is no cycle", () => {
    const shared = { a: 1 };

    expect(written([shared, shared])).toBe(written([{ a: 1 }, { a: 1 }]));
  });

  it("does not compare a cycle", () => {
    const cycle: unknown[] = [];
    cycle.push(cycle, cycle);

    expect(written(cycle)).toBeUndefined();
  });

  it("sees the order of maps and sets, as their readers do", () => {
    expect(written(new Set([1, 2]))).not.toBe(written(new Set([2, 1])));
    expect(written(new Map([[1, 2]]))).not.toBe(written(new Map([[2, 1]])));
  });
});

describe("digestOfValue", () => {
  const rows = (count: number, last = "y") =>
    Array.from({ length: count }, (_, at) => ({ at, text: at === count - 1 ? last : "y".repeat(80) }));

  it("compares a value of several megabytes, each part of it", () => {
    const digest = digestOfValue(rows(30_000), platform);

    expect(digest).toBeDefined();
    expect(digestOfValue(rows(30_000), platform)).toBe(digest);
    expect(digestOfValue(rows(30_000, "z"), platform)).not.toBe(digest);
    expect(digestOfValue([{ at: 0 }, ...rows(30_000).slice(1)], platform)).not.toBe(digest);
  });

  it("tells apart what differs only in its order or its nesting", () => {
    const long = ["x".repeat(60_000), "y".repeat(60_000), "z".repeat(60_000), "x".repeat(60_000), "w".repeat(60_000)];

    expect(digestOfValue(long, platform)).not.toBe(digestOfValue(long.toReversed(), platform));
    expect(digestOfValue([long], platform)).not.toBe(digestOfValue(long, platform));
  });

  it("reads the beginning, the end and the size of a very large value, and some of the middle", () => {
    const [size, change] = [1_000_000, { at: -1 }];
    const list = (length = size) => Array.from({ length }, (_, at) => (at === change.at ? "changed" : at % 7));
    const before = digestOfValue(list(), platform);
    const isSeen = (at: number): boolean => {
      change.at = at;
      const isOther = digestOfValue(list(), platform) !== before;
      change.at = -1;
      return isOther;
    };

    expect(digestOfValue(list(), platform)).toBe(before);
    expect(digestOfValue(list(size + 7), platform)).not.toBe(before);
    expect([0, 1, 10_000, 19_000, size - 200, size - 2, size - 1].every(isSeen)).toBe(true);
  });

  it("reads the end of a list of large rows, and of a list in a field", () => {
    const other = [...rows(60_000).slice(0, -1), { id: -1 }];

    expect(digestOfValue(rows(60_000), platform)).toBe(digestOfValue(rows(60_000), platform));
    expect(digestOfValue(rows(60_000), platform)).not.toBe(digestOfValue(other, platform));
    expect(digestOfValue({ rows: rows(60_000) }, platform)).not.toBe(digestOfValue({ rows: other }, platform));
    expect(digestOfValue({ rows: rows(60_000), a: 1 }, platform)).not.toBe(
      digestOfValue({ rows: rows(60_000), a: 2 }, platform),
    );
  });

  it("stops at 4 MB of text, and at 30,000 fields", () => {
    expect(digestOfValue(Array(100).fill("x".repeat(50_000)), platform)).toBeUndefined();
    expect(digestOfValue({ ["k".repeat(300_000)]: 1 }, platform)).toBeUndefined();
    expect(digestOfValue({ ...Array(30_000).fill(1) }, platform)).toBeDefined();
    expect(digestOfValue({ ...Array(30_001).fill(1) }, platform)).toBeUndefined();
  });
});

describe("pick", () => {
  it("takes the named properties that are data, and runs nothing", () => {
    const value = {
      a: 1,
      get b() {
        throw new Error("was run");
      },
      c: 3,
    };

    expect({ ...pick(value, ["a", "b", "d", "toString"]) }).toEqual({ a: 1 });
  });

  it("knows a property by any name", () => {
    const picked = pick(JSON.parse('{"__proto__":1}') as object, ["__proto__"]);

    expect(Object.keys(picked)).toEqual(["__proto__"]);
  });
});

function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffled);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, shuffled(item)]),
  );
}

/** A text that is the same for equal values only: sorted keys, and zeros told apart. */
function typeText(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) => {
    if (Object.is(item, -0)) return "\u0000-0";
    if (typeof item !== "object" || item === null || Array.isArray(item)) return item;
    return Object.fromEntries(Object.entries(item).sort(([one], [other]) => (one < other ? -1 : 1)));
  });
}
