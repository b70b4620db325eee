import { describe, expect, it } from "vitest";
import { times, toolName, toolNames } from "./sentence.ts";

describe("toolName", () => {
  it.each(["read_file", "mcp__fs__read-file", "Bash", "functions.exec", "a1"])("shows %s", (name) => {
    expect(toolName(name)).toBe(`\`${name}\``);
  });

  it.each([undefined, "", "1a", "two words", "a\n", "semi;colon", "x".repeat(65)])("hides %j", (name) => {
    expect(toolName(name)).toBe("one tool");
  });
});

describe("toolNames", () => {
  it.each<[string[], string]>([
    [[], "the same tools"],
    [["a"], "`a`"],
    [["a", "b"], "`a` and `b`"],
    [["a", "b", "c", "a"], "`a`, `b` and `c`"],
    [["?", "!"], "one tool"],
    [["a", "b", "c", "d", "e", "f"], "`a`, `b`, `c`, `d` and `e`"],
  ])("lists %j", (tools, words) => {
    expect(toolNames(tools)).toBe(words);
  });
});

describe("times", () => {
  it("counts", () => {
    expect([times(1), times(2)]).toEqual(["1 time", "2 times"]);
  });
});
