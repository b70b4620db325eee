import { expect, it } from "vitest";
import { readers } from "../../../doomloop/src/scan/readers.ts";
import { textReaders } from "./text-readers.ts";

it("holds every reader of the scan that reads one text, in the same order", () => {
  expect(textReaders).toEqual(readers.filter(({ readFile }) => readFile === undefined));
});
