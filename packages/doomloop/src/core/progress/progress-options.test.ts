import { describe, expect, it } from "vitest";
import { resolveProgress } from "./progress-options.ts";

describe("resolveProgress", () => {
  it("fills in what is not given", () => {
    expect(resolveProgress()).toMatchObject({
      outcomes: "compare",
      worldChange: true,
      userTurn: true,
      news: true,
      patienceMs: 1_800_000,
      comparedArguments: "all",
      forgives: true,
    });
  });

  it("keeps what is given", () => {
    const options = {
      outcomes: "ignore",
      worldChange: false,
      userTurn: false,
      news: false,
      patienceMs: 0,
      comparedCharacters: 5,
      comparedArguments: "primary",
      forgives: false,
      seesResults: true,
    } as const;

    expect(resolveProgress(options)).toEqual(options);
  });
});
