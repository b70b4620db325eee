import { describe, expect, it } from "vitest";
import { appendToError } from "./append-to-error.ts";
import { appendToText, appendWords, isJsonText } from "./append-words.ts";

describe("words behind a result", () => {
  it("go behind a text, a blank line between them", () => {
    expect(appendWords("text", "words")).toBe("text\n\nwords");
    expect(appendWords("", "words")).toBe("words");
  });

  it("go behind content parts as one more part, and leave the list alone", () => {
    const parts = [{ type: "image", data: "a" }];

    expect(appendWords(parts, "words")).toEqual([...parts, { type: "text", text: "words" }]);
    expect(appendWords([], "words", (text) => ({ type: "input_text", text }))).toEqual([
      { type: "input_text", text: "words" },
    ]);
    expect(parts).toHaveLength(1);
  });

  it.each(['{"orders":[]}', " [1, 2]\n", "{}", `[${"1,".repeat(600_000)}1]`])("stand beside JSON", (json) => {
    expect(appendWords(json, "words")).toEqual([
      { type: "text", text: json },
      { type: "text", text: "words" },
    ]);
  });

  it.each(["[info] the build is done", "{a: 1}", "42", '"text"', "null", "{", ""])("take %j for text", (text) => {
    expect(isJsonText(text)).toBe(false);
    expect(appendWords(text, "words")).toBe(appendToText(text, "words"));
  });

  it("go behind any text that only the model reads", () => {
    expect(appendToText("{}", "words")).toBe("{}\n\nwords");
  });

  it.each([[{ a: 1 }], [42], [null], [undefined], [[1, 2]], [[{ name: "a" }]], [true]])("do not fit %j", (value) => {
    expect(appendWords(value, "words")).toBeUndefined();
  });
});

describe("words behind an error", () => {
  it("go into the message of one that inherits from it", () => {
    class DiskError extends Error {
      readonly code = "full";
    }
    const error = Object.freeze(new DiskError("the disk is full"));
    const spoken = appendToError(error, "words");

    expect(spoken).toBeInstanceOf(DiskError);
    expect(spoken).toMatchObject({ message: "the disk is full\n\nwords", code: "full", stack: error.stack });
    expect(error.message).toBe("the disk is full");
  });

  it("tell when they are first read", () => {
    let reads = 0;
    const spoken = appendToError(new TypeError("no"), "words", () => void reads++) as Error;
    expect(reads).toBe(0);

    expect([String(spoken), spoken.message, reads]).toEqual(["TypeError: no\n\nwords", "no\n\nwords", 1]);
  });

  it("go behind a text that was thrown, and do not fit anything else", () => {
    expect(appendToError("failed", "words")).toBe("failed\n\nwords");
    expect(appendToError({ code: 1 }, "words")).toBeUndefined();
  });

  it("are an error by themselves where nothing was thrown", () => {
    for (const nothing of [undefined, null])
      expect(appendToError(nothing, "words")).toEqual(expect.objectContaining({ message: "words" }));
  });
});
