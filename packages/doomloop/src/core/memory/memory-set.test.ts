import { describe, expect, it } from "vitest";
import { createMemorySet } from "./memory-set.ts";

describe("createMemorySet", () => {
  it("forgets what was added first", () => {
    const set = createMemorySet(2);
    for (const item of ["a", "b", "a", "c"]) set.add(item);

    expect(set.list()).toEqual(["a", "c"]);
    expect(set.has("b")).toBe(false);
  });

  it("begins with the latest of what was saved", () => {
    expect(createMemorySet(2, ["a", "b", "c"]).list()).toEqual(["b", "c"]);
  });

  it("does not share what it lists", () => {
    const set = createMemorySet(3, ["a"]);
    const list = set.list();
    set.add("b");

    expect(list).toEqual(["a"]);
    set.clear();
    expect(set.list()).toEqual([]);
  });
});
