import { describe, expect, it } from "vitest";
import { platform } from "../../platform.ts";
import { callIdentity, readArguments } from "./call-identity.ts";

const digest = (tool: string, args: unknown) => callIdentity(tool, args, platform);

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
});

describe("readArguments", () => {
  it("parses an object or a list that came as JSON text", () => {
    expect(readArguments('{"a":[1,"b"]}')).toEqual({ a: [1, "b"] });
    expect(readArguments(" \n[1]")).toEqual([1]);
  });

  it.each(["", "ls -la", "null", "1", '"text"', "{", '{"a":}', "{'a':1}", '{"a":1} and more', "[".repeat(100_000)])(
    "leaves other text as it is (%#)",
    (text) => {
      expect(readArguments(text)).toBe(text);
    },
  );

  it("leaves JSON with an integer that would not survive", () => {
    expect(readArguments('{"id":9007199254740993}')).toBe('{"id":9007199254740993}');
    expect(readArguments('{"id":900719925474099}')).toEqual({ id: 900719925474099 });
  });

  it("leaves JSON that is too long to parse", () => {
    const text = JSON.stringify({ a: "x".repeat(300_000) });

    expect(readArguments(text)).toBe(text);
  });

  it("hands other values through", () => {
    const value = { a: 1 };

    expect(readArguments(value)).toBe(value);
    expect(readArguments(undefined)).toBeUndefined();
  });
});
