import { describe, expect, it } from "vitest";
import { type Edge, edgeOf } from "./outcome-edges.ts";

const areAlike = (edge: Edge, one: string, other: string): boolean => edgeOf(one, edge) === edgeOf(other, edge);
const filler = "a line of something else\n".repeat(20);

describe("edgeOf", () => {
  it.each<[string, Edge, string, string]>([
    ["numbers", "beginning", "read 12 lines of it", "read 7 lines of it"],
    ["ids", "beginning", "run a1-b2 is done", "run c3 is done"],
    ["a path", "beginning", "wrote /tmp/abc", "wrote /tmp/xyz and more"],
    [
      "what stands behind it",
      "beginning",
      `the first words of a text that goes on for a long time ${filler}`,
      "the first words of a text that goes on for a long walk",
    ],
    ["what stands before it", "ending", `${filler}done`, "done"],
    ["tags of a harness", "beginning", "<returncode>0</returncode>\n<output>\nfine", "fine"],
    ["a closing tag", "ending", "done", "done\n</output>\n"],
    ["white space", "ending", "done", "done \n\n"],
    ["durations", "ending", "Finished in 12ms", "Finished in 340ms"],
  ])("is the same whatever %s", (_, edge, one, other) => {
    expect(areAlike(edge, one, other)).toBe(true);
  });

  it.each<[Edge, string, string]>([
    ["beginning", "read it", "wrote it"],
    ["ending", "fine\nKeyError: name", "fine\nKeyError: path"],
    ["ending", "<b>one</b>", "<b>two</b>"],
  ])("at the %s tells %j from %j", (edge, one, other) => {
    expect(areAlike(edge, one, other)).toBe(false);
  });

  it("is a number of 16 bits, of nothing too", () => {
    for (const text of ["", "<", "\n", filler])
      for (const edge of ["beginning", "ending"] as const) expect(edgeOf(text, edge)).toBe(edgeOf(text, edge) & 0xffff);
  });
});
