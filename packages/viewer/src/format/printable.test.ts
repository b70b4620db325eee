import { describe, expect, it } from "vitest";
import { printable } from "./printable.ts";

describe("printable text", () => {
  it.each([
    ["\u001B[2J", "␛[2J"],
    ["a\u202Eb", "a[U+202E]b"],
    ["\u200B", "[U+200B]"],
    ["\uD800", "[U+D800]"],
    ["\u{E0041}", "[U+E0041]"],
    ["a\u2028b", "a[U+2028]b"],
    ["a\nb\tc", "a b c"],
  ])("shows what is hidden in %j", (text, shown) => {
    expect(printable(text)).toBe(shown);
  });

  it("keeps lines and tabs of a block", () => {
    expect(printable("a\n\tb\r", true)).toBe("a\n\tb␍");
  });

  it("leaves writing alone, with its joiners", () => {
    const text = "naïve 漢字 مرحبا 👩‍💻 می‌خواهم";
    expect(printable(text)).toBe(text);
  });
});
