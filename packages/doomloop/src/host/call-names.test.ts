import { describe, expect, it } from "vitest";
import { createCallNames, withoutId } from "./call-names.ts";

describe("withoutId", () => {
  it("removes the id of a call from short results only", () => {
    expect(withoutId("User rejected the call with id call_7Yx", "call_7Yx")).toBe("User rejected the call with id ");
    expect(withoutId("7 rows", "7")).toBe("7 rows");
    expect(withoutId("", "")).toBe("");
    expect(withoutId("x".repeat(3000).concat("call_7Yx"), "call_7Yx")).toContain("call_7Yx");
    expect(withoutId({ id: "call_7Yx" }, "call_7Yx")).toEqual({ id: "call_7Yx" });
  });
});

describe("names of calls", () => {
  it("are the host's ids if those are unique", () => {
    const names = createCallNames();

    expect(["a", "b"].map(names.give)).toEqual(["a", "b"]);
    expect(["b", "a", "never made"].map(names.take)).toEqual(["b", "a", "never made"]);
  });

  it("differ if ids are missing, empty, or used twice in an answer", () => {
    const names = createCallNames();
    const given = [undefined, "", "", "x", "x"].map(names.give);

    expect(new Set(given).size).toBe(5);
  });

  it("are found by the host's id in the order of the calls, or by name in any order", () => {
    const names = createCallNames();
    const [first, second, third] = ["x", "x", "x"].map(names.give);

    expect(names.take(second!)).toBe(second);
    expect([names.take("x"), names.take("x")]).toEqual([first, third]);
    expect(names.give("x")).toBe("x");
  });

  it("belong to the latest answer, so a call without a result takes none from a later one", () => {
    const names = createCallNames();
    names.give("");
    names.beginAnswer();
    const later = names.give("");

    expect(names.take("")).toBe(later);
  });

  it("are bounded", () => {
    const names = createCallNames();
    const first = names.give("");
    for (let at = 0; at < 1000; at++) names.give("");

    expect(names.take("")).not.toBe(first);
  });
});
