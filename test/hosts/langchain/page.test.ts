import { expect, it } from "vitest";
import { uncheckedLines } from "../shared/unchecked-lines.ts";

it("has its page's code checked against the types of the package", () => {
  expect(uncheckedLines("langchain")).toEqual([]);
});
