import { describe, expect, it } from "vitest";
import { editPair } from "./edit-pair.ts";

const edit = (from: string, to: string, path = "a.ts"): string | undefined =>
  editPair({ path, old_string: from, new_string: to });

describe("editPair", () => {
  it("is the same for an edit and its reverse", () => {
    expect(edit("x", "y")).toBeDefined();
    expect(edit("x", "y")).toBe(edit("y", "x"));
  });

  it("is another for another edit, or another file", () => {
    expect(new Set([edit("x", "y"), edit("x", "z"), edit("xy", ""), edit("x", "y", "b.ts")]).size).toBe(4);
  });

  it.each([
    { path: "a", old_str: "x", new_str: "y" },
    { file_path: "a", oldText: "x", newText: "y" },
    { filePath: "a", oldString: "x", newString: "y" },
    { path: "a", search: "x", replace: "y" },
    { path: "a", find: "x", replace: "y" },
    { path: "a", old: "x", new: "y" },
  ])("knows the fields of %j", (args) => {
    expect(editPair(args)).toBe(edit("x", "y", "a"));
  });

  it.each([
    [undefined],
    [null],
    ["text"],
    [{}],
    [{ old_string: "x" }],
    [{ old_string: 1, new_string: 2 }],
    [{ path: "a", content: "x" }],
  ])("is undefined for %j", (args) => {
    expect(editPair(args)).toBeUndefined();
  });
});
