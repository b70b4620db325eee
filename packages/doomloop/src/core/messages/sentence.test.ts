import { describe, expect, it } from "vitest";
import { spanOf, toolName } from "./sentence.ts";

describe("toolName", () => {
  it.each(["read_file", "mcp__fs__read-file", "Bash", "functions.exec", "a1"])("shows %s", (name) => {
    expect(toolName(name)).toBe(`\`${name}\``);
  });

  it.each([undefined, "", "1a", "two words", "a\n", "semi;colon", "x".repeat(65)])("hides %j", (name) => {
    expect(toolName(name)).toBe("one tool");
  });
});

describe("spanOf", () => {
  it.each([
    [1_499, "1 second"],
    [20_000, "20 seconds"],
    [59_400, "59 seconds"],
    [60_000, "1 minute"],
  ])("says %d ms as %s", (spanMs, words) => {
    expect(spanOf(spanMs)).toBe(words);
  });
});
