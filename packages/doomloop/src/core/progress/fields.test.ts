import { describe, expect, it } from "vitest";
import { fieldsOf, firstText, textField } from "./fields.ts";

describe("textField", () => {
  it("reads an own text, and nothing else", () => {
    expect(textField({ a: "x" }, "a")).toBe("x");
    expect(textField({ a: 1 }, "a")).toBeUndefined();
    expect(textField({}, "toString")).toBeUndefined();
    expect(
      textField(
        {
          get a() {
            throw new Error("was run");
          },
        },
        "a",
      ),
    ).toBeUndefined();
  });
});

describe("firstText", () => {
  it("is the first of some fields that is a text", () => {
    expect(firstText({ b: "x", c: "y", a: 1 }, ["a", "b", "c"])).toBe("x");
    expect(firstText({ b: "x" }, ["a"])).toBeUndefined();
  });
});

describe("fieldsOf", () => {
  it.each([undefined, null, 7, "text"])("finds none in %j", (args) => {
    expect(fieldsOf(args)).toEqual({});
  });
});
