import { describe, expect, it } from "vitest";
import { appendToError, appendToText, appendWords, isJsonText } from "./append-words.ts";

describe("words for a result", () => {
  it("are appended to a text after a blank line", () => {
    expect(appendWords("text", "words")).toBe("text\n\nwords");
    expect(appendWords("", "words")).toBe("words");
  });

  it("are appended to a copy of content parts as one more part", () => {
    const parts = [{ type: "image", data: "a" }];

    expect(appendWords(parts, "words")).toEqual([...parts, { type: "text", text: "words" }]);
    expect(appendWords([], "words", (text) => ({ type: "input_text", text }))).toEqual([
      { type: "input_text", text: "words" },
    ]);
    expect(parts).toHaveLength(1);
  });

  it.each(['{"orders":[]}', " [1, 2]\n", "{}", `[${"1,".repeat(600_000)}1]`])(
    "become a second part beside JSON",
    (json) => {
      expect(appendWords(json, "words")).toEqual([
        { type: "text", text: json },
        { type: "text", text: "words" },
      ]);
    },
  );

  it.each(["[info] the build is done", "{a: 1}", "42", '"text"', "null", "{", ""])("treat %j as text", (text) => {
    expect(isJsonText(text)).toBe(false);
    expect(appendWords(text, "words")).toBe(appendToText(text, "words"));
  });

  it("are appended to any text that only the model reads", () => {
    expect(appendToText("{}", "words")).toBe("{}\n\nwords");
  });

  it.each([[{ a: 1 }], [42], [null], [undefined], [[1, 2]], [[{ name: "a" }]], [true]])(
    "cannot be appended to %j",
    (value) => {
      expect(appendWords(value, "words")).toBeUndefined();
    },
  );
});

describe("words for an error", () => {
  it("are in the message of an error that inherits from it", () => {
    class DiskError extends Error {
      readonly code = "full";
    }
    const error = Object.freeze(new DiskError("the disk is full"));
    const spoken = appendToError(error, "words");

    expect(spoken).toBeInstanceOf(DiskError);
    expect(spoken).toMatchObject({ message: "the disk is full\n\nwords", code: "full", stack: error.stack });
    expect(error.message).toBe("the disk is full");
  });

  it("report when they are first read", () => {
    let reads = 0;
    const spoken = appendToError(new TypeError("no"), "words", () => void reads++) as Error;
    expect(reads).toBe(0);

    expect([String(spoken), spoken.message, reads]).toEqual(["TypeError: no\n\nwords", "no\n\nwords", 1]);
  });

  it("are appended to a text that was thrown, and to no other value", () => {
    expect(appendToError("failed", "words")).toBe("failed\n\nwords");
    expect(appendToError({ code: 1 }, "words")).toBeUndefined();
  });

  it("become an error if nothing was thrown", () => {
    for (const nothing of [undefined, null])
      expect(appendToError(nothing, "words")).toEqual(expect.objectContaining({ message: "words" }));
  });
});
