import { describe, expect, it } from "vitest";
import { latestIn, step, times } from "../../../../../test/builders.ts";
import type { Act } from "../reading.ts";
import { type Brought, broughtBy, type Cell, TABLE } from "./table.ts";

const ACTS = Object.keys(TABLE) as Act[];
const BROUGHT: readonly Brought[] = ["failure", "nothing", "mute", "reading", "seen"];
const cells = ACTS.flatMap((act) => BROUGHT.map((brought) => [act, brought, TABLE[act][brought]] as const));
const named = (fits: (cell: Cell) => boolean): string[] =>
  cells.filter(([, , cell]) => fits(cell)).map(([act, brought]) => `${act} ${brought}`);

describe("the table", () => {
  it("has a cell for all that a call can do and bring", () => {
    expect(cells).toHaveLength(9 * 5);
    for (const [, , cell] of cells) expect(cell.forgives).toBeGreaterThanOrEqual(0);
  });

  it("is never sure of an act that says nothing: nobody sees what came of it", () => {
    const sure = named(({ isSure }) => isSure);

    for (const act of ACTS) if (act !== "looks") expect(sure).not.toContain(`${act} mute`);
    for (const act of ["watches", "steps", "runs", "says", "asks", "measures", "waits"])
      expect(sure).not.toContain(`${act} nothing`);
  });

  it("is never sure of what is said, nor of a failure that others may mend", () => {
    const sure = named(({ isSure }) => isSure);

    for (const brought of BROUGHT) expect(sure).not.toContain(`says ${brought}`);
    for (const act of ["watches", "steps", "asks"]) expect(sure).not.toContain(`${act} failure`);
  });

  it("is sure of what is shown again in full, and of a look at files that brings anything", () => {
    const sure = named(({ isSure }) => isSure);

    for (const act of ["looks", "watches", "steps", "runs", "writes", "asks", "waits"])
      expect(sure).toContain(`${act} seen`);
    for (const brought of BROUGHT) expect(sure.includes(`looks ${brought}`)).toBe(brought !== "nothing");
  });

  it("counts at once wherever it is sure", () => {
    expect(named(({ isSure, forgives }) => isSure && forgives > 0)).toEqual([]);
  });

  it("forgives at least as much the less an answer shows", () => {
    for (const act of ACTS) {
      const [nothing, mute, reading, seen] = BROUGHT.slice(1).map((brought) => TABLE[act][brought].forgives);

      expect(mute).toBeGreaterThanOrEqual(reading!);
      expect(nothing).toBeGreaterThanOrEqual(reading!);
      expect(reading).toBeGreaterThanOrEqual(seen!);
    }
  });

  it.each<[Act, Brought, number]>([
    ["looks", "nothing", 0],
    ["watches", "mute", 4],
    ["watches", "seen", 0],
    ["steps", "mute", 7],
    ["steps", "reading", 2],
    ["runs", "mute", 4],
    ["writes", "mute", 0],
    ["says", "seen", 0],
    ["measures", "seen", 17],
  ])("forgives what %s and brings %s %i times", (act, brought, forgives) => {
    expect(TABLE[act][brought].forgives).toBe(forgives);
  });
});

describe("broughtBy", () => {
  it.each<[Brought, string]>([
    ["failure", "Error: no such order"],
    ["nothing", ""],
    ["nothing", "[]"],
    ["nothing", "No matches found."],
    ["mute", "ok"],
    ["mute", "x".repeat(20)],
    ["mute", "Clicked the button that says Send"],
    ["reading", "x".repeat(21)],
    ["reading", "x".repeat(80)],
    ["seen", "x".repeat(81)],
  ])("is %s for %j", (brought, output) => {
    expect(broughtBy(latestIn(times(2, step("get_order", { id: 7 }, output))).step)).toBe(brought);
  });
});
