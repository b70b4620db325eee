import { describe, expect, it } from "vitest";
import { sampleSteps } from "../report/sample.ts";
import { layoutStrip } from "./layout-strip.ts";
import { moveInStrip } from "./move-in-strip.ts";
import { stepGroups } from "./step-groups.ts";

const steps = sampleSteps("a b q a b a");
const { cells } = layoutStrip({ from: 1, total: 6, steps }, [], stepGroups(steps, [], "call"), "call");
const stepCells = cells.filter((cell) => cell.type === "step");
const move = (key: string, selected: number, shiftKey = false) =>
  moveInStrip({ key, shiftKey }, stepCells, selected, (direction) => selected + direction * 4);

describe("a key in the strip", () => {
  it.each([
    ["ArrowRight", 2, 3],
    ["ArrowRight", 5, 5],
    ["ArrowLeft", 0, 0],
    ["ArrowDown", 1, 5],
    ["ArrowDown", 3, 5],
    ["ArrowUp", 4, 0],
    ["Home", 4, 0],
    ["End", 0, 5],
    ["Enter", 0, undefined],
    ["a", 0, undefined],
  ])("%s at %i leads to %s", (key, selected, target) => {
    expect(move(key, selected)).toBe(target);
  });

  it.each([
    ["ArrowRight", 0, 3],
    ["ArrowLeft", 5, 3],
    ["ArrowRight", 5, 5],
    ["ArrowLeft", 2, 2],
  ])("%s with Shift at %i leads to the equal step %i", (key, selected, target) => {
    expect(move(key, selected, true)).toBe(target);
  });
});
