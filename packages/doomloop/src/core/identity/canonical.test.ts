import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { platform } from "../../platform.ts";
import { byteWriter } from "./byte-writer.ts";
import { callDigest } from "./call-digest.ts";
import { writeCanonical } from "./canonical.ts";

/** The digest of a value, undefined if it is not compared. */
function digestOf(value: unknown): string | undefined {
  byteWriter.begin();
  return writeCanonical(value, platform) ? byteWriter.digest() : undefined;
}

describe("writeCanonical", { timeout: 900_000 }, () => {
  it("writes equal JSON values alike, in whatever order their keys are", () => {
    const property = fc.property(fc.jsonValue(), (value) => {
      expect(digestOf(shuffled(value))).toBe(digestOf(value));
    });
    fc.assert(property, { numRuns: Math.ceil(propertyRuns() / 4) });
  });

  it("writes different JSON values differently", () => {
    const property = fc.property(fc.jsonValue({ maxDepth: 2 }), fc.jsonValue({ maxDepth: 2 }), (one, other) => {
      fc.pre(typeText(one) !== typeText(other));

      expect(digestOf(one)).not.toBe(digestOf(other));
    });
    fc.assert(property, { numRuns: Math.ceil(propertyRuns() / 4) });
  });

  it("marks the fields of the outermost object only", () => {
    digestOf({ a: { b: 1 }, c: [1] });

    expect(byteWriter.marks).toHaveLength(2);
  });

  it("compares down to a depth of 64", () => {
    const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);

    expect(digestOf(nested(64))).toBeDefined();
    expect(digestOf(nested(65))).toBeUndefined();
  });

  it("compares up to 20,000 values and 262,144 characters", () => {
    expect(digestOf(Array(19_999).fill(1))).toBeDefined();
    expect(digestOf(Array(20_000).fill(1))).toBeUndefined();
    expect(digestOf("x".repeat(262_144))).toBeDefined();
    expect(digestOf("x".repeat(262_145))).toBeUndefined();
    expect(digestOf(["x".repeat(200_000), "x".repeat(100_000)])).toBeUndefined();
  });

  it("counts the characters of keys too", () => {
    expect(digestOf({ ["k".repeat(200_000)]: "x".repeat(100_000) })).toBeUndefined();
  });

  it.each([
    [new (class Thing {})()],
    [() => 1],
    [Symbol("s")],
    [/a/],
    [new WeakSet()],
    [new Proxy({}, {})],
    [Promise.resolve()],
  ])("does not compare %s", (value) => {
    expect(digestOf(value)).toBeUndefined();
    expect(digestOf([value])).toBeUndefined();
    expect(digestOf({ value })).toBeUndefined();
  });

  it("does not compare a value with a getter", () => {
    expect(
      digestOf({
        get a() {
          throw new Error("was run");
        },
      }),
    ).toBeUndefined();
  });

  it("goes by the same value in two places, which is no cycle", () => {
    const shared = { a: 1 };

    expect(digestOf([shared, shared])).toBe(digestOf([{ a: 1 }, { a: 1 }]));
  });

  it("tells cycles of different reach apart", () => {
    const outer: unknown[] = [[]];
    (outer[0] as unknown[]).push(outer);
    const inner: unknown[] = [[]];
    (inner[0] as unknown[]).push(inner[0]);

    expect(digestOf(outer)).toBeDefined();
    expect(digestOf(outer)).not.toBe(digestOf(inner));
  });

  it("sees the order of maps and sets, as their readers do", () => {
    expect(digestOf(new Set([1, 2]))).not.toBe(digestOf(new Set([2, 1])));
    expect(digestOf(new Map([[1, 2]]))).not.toBe(digestOf(new Map([[2, 1]])));
  });
});

describe("callDigest", () => {
  it("is another for another tool, or other arguments", () => {
    const calls = [
      ["a", {}],
      ["b", {}],
      ["a", { b: 1 }],
      ["a", []],
      ["a", undefined],
      ["a", null],
      ["a", "{}"],
      ["a", { value: 1 }],
      ["a", 1],
    ] as const;

    expect(new Set(calls.map(([tool, args]) => callDigest(tool, args, platform))).size).toBe(calls.length);
  });

  it("is undefined for arguments that are not compared, and for a tool's name beyond reason", () => {
    expect(callDigest("a", () => 1, platform)).toBeUndefined();
    expect(callDigest("a".repeat(1024), {}, platform)).toBeDefined();
    expect(callDigest("a".repeat(1025), {}, platform)).toBeUndefined();
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
