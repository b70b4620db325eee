import { describe, expect, it } from "vitest";
import { platform } from "../../platform.ts";
import { callIdentity } from "./call-identity.ts";

const digest = (tool: string, args: unknown) => callIdentity(tool, args, platform)?.digest;

describe("callIdentity", () => {
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
      ["a!", 1],
    ] as const;

    expect(new Set(calls.map(([tool, args]) => digest(tool, args))).size).toBe(calls.length);
  });

  it("is undefined for arguments that are not compared, and for a tool's name beyond reason", () => {
    expect(digest("a", () => 1)).toBeUndefined();
    expect(digest("a".repeat(1024), {})).toBeDefined();
    expect(digest("a".repeat(1025), {})).toBeUndefined();
  });

  it("keeps the beginning of the arguments, and not the rest", () => {
    const { text, fields, end } = callIdentity("tool", { a: "x".repeat(9000), b: 1 }, platform)!.args;

    expect(text).toBe(`tool\na\n${"x".repeat(510)}`);
    expect(end).toBe(text.length);
    expect(fields).toEqual([5]);
  });
});
