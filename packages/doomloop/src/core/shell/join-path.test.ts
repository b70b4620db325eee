import { expect, it } from "vitest";
import { joinPath } from "./join-path.ts";

it.each([
  ["", "a", "a"],
  ["", "./a", "a"],
  ["", "a/", "a"],
  ["", "a/./b//c", "a/b/c"],
  ["", "a/../b", "b"],
  ["", "../a", "../a"],
  ["", "../../a", "../../a"],
  ["", "/../a", "/a"],
  ["", ".", "."],
  ["", "a/..", "."],
  ["", ".env", ".env"],
  ["src", "a", "src/a"],
  ["src", "../a", "a"],
  ["src", "/a", "/a"],
  ["src", "~/a", "~/a"],
  ["~", "../a", "~/../a"],
  ["/", "a", "/a"],
])("joins %j and %j to %j", (directory, path, joined) => {
  expect(joinPath(directory, path)).toBe(joined);
});
