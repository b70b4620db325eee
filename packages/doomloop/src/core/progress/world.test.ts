import { describe, expect, it } from "vitest";
import { createWorld, type World } from "./world.ts";

const saved = (world: World): World => createWorld(JSON.parse(JSON.stringify(world.save())));

describe("a change", () => {
  it("lies after the steps before it", () => {
    const world = createWorld();
    world.change(5);

    expect([4, 5, 6].map((index) => world.hasChangedSince(index))).toEqual([true, false, false]);
  });

  it("that may have been is looked into when it matters, latest first and only as far as needed", () => {
    const world = createWorld();
    const asked: number[] = [];
    for (const index of [1, 2, 3, 4]) world.note(index, () => asked.push(index) > 0 && index === 2);

    expect(world.hasChangedSince(3)).toBe(false);
    expect(asked).toEqual([4]);
    expect(world.hasChangedSince(0)).toBe(true);
    expect(asked).toEqual([4, 3, 2]);
    expect(world.hasChangedSince(1)).toBe(true);
    expect(world.hasChangedSince(2)).toBe(false);
    expect(asked).toEqual([4, 3, 2]);
  });

  it("that was delegated is one for all but other delegations", () => {
    const world = createWorld();
    world.delegate(5);

    for (const one of [world, saved(world)]) {
      expect(one.hasChangedSince(4)).toBe(true);
      expect(one.hasChangedSince(4, true)).toBe(false);
      expect(one.lastChange()).toBe(5);
    }
    world.change(6);
    expect(world.hasChangedSince(5, true)).toBe(true);
  });

  it("that was delegated is none once the host has measured the same as before", () => {
    const world = createWorld();
    world.measure("tree", "a", 0);
    world.delegate(1);
    world.measure("tree", "a", 1);

    expect(world.hasChangedSince(0)).toBe(false);
  });

  it("is remembered over a save", () => {
    const world = createWorld();
    world.note(3, () => true);

    expect(saved(world).hasChangedSince(2)).toBe(true);
    expect(saved(world).hasChangedSince(3)).toBe(false);
  });

  it("is not forgotten however many steps are noted", () => {
    const world = createWorld();
    for (let index = 0; index < 500; index++) world.note(index, () => index === 7);

    expect(world.hasChangedSince(6)).toBe(true);
    expect(world.hasChangedSince(7)).toBe(false);
  });
});

describe("an edit", () => {
  it("is new once", () => {
    const world = createWorld();

    expect([world.isNewEdit("a"), world.isNewEdit("b"), world.isNewEdit("a")]).toEqual([true, true, false]);
    expect(saved(world).isNewEdit("a")).toBe(false);
  });

  it("is new again when it was long ago", () => {
    const world = createWorld();
    world.isNewEdit("a");
    for (let at = 0; at < 500; at++) world.isNewEdit(`${at}`);

    expect(world.isNewEdit("a")).toBe(true);
  });
});

describe("a measure", () => {
  it("is progress where its value is new, but for the first", () => {
    const world = createWorld();

    expect(["a", "b", "b", "a", "c"].map((value, at) => world.measure("diff", value, at))).toEqual([
      false,
      true,
      false,
      false,
      true,
    ]);
  });

  it("that is new is a change after its step", () => {
    const world = createWorld();
    world.measure("diff", "a", 3);
    world.measure("diff", "b", 5);

    expect(world.hasChangedSince(5)).toBe(true);
    expect(world.hasChangedSince(6)).toBe(false);
  });

  it("that stayed the same takes back what claimed to be a change", () => {
    const world = createWorld();
    world.measure("diff", "a", 3);
    world.change(4);
    world.measure("diff", "a", 5);

    expect(world.hasChangedSince(3)).toBe(false);
  });

  it("is kept by its key, over a save too", () => {
    const world = createWorld();
    world.measure("one", "a", 1);
    world.measure("other", "b", 1);
    const resumed = saved(world);

    expect(resumed.measure("one", "a", 2)).toBe(false);
    expect(resumed.measure("other", "a", 2)).toBe(true);
  });

  it("knows the latest change although results come out of order", () => {
    const world = createWorld();
    world.note(1, () => true);
    world.note(0, () => true);

    expect(world.hasChangedSince(0)).toBe(true);
    expect(world.save().lastChange).toBe(1);
    world.change(0);
    expect(world.lastChange()).toBe(1);
  });
});
