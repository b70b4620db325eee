import { describe, expect, it } from "vitest";
import { actionsOf, call, failure, seenStepsOf, step, user } from "../../../../../test/builders.ts";
import { areAboutOne, isList, isOneSubject } from "./list.ts";

const steps = (queries: readonly string[], output = "[]") =>
  seenStepsOf(
    queries.flatMap((query) => step("search", { query }, output)),
    { ladder: ["nudge"] },
  );
const names = ["Ada", "Grace", "Alan", "Edsger", "Barbara", "Donald", "Leslie", "Frances"];

describe("isList", () => {
  it("is true where one place varies, by something else each time", () => {
    const row = steps(names.map((name) => `address of ${name} in the register`));

    expect(isList(row, row.at(-1)!)).toBe(true);
  });

  it("is false for one question in other words", () => {
    const row = steps([
      "how does the retry policy work",
      "retry policy",
      "policy of retry, explained",
      "what is the retry policy for queues",
      "explain retry and its policy",
    ]);

    expect(isList(row, row.at(-1)!)).toBe(false);
  });

  it("is true for what the user has named", () => {
    const asked = [
      user(`Look up ${names.join(", ")}.`),
      ...names.flatMap((name) => step("find_member", { name }, "[]")),
    ];

    expect(actionsOf(asked)).toEqual([]);
  });

  it("is false behind a closed door", () => {
    const locked = names.flatMap((name) => [call("find_member", { name }), failure("403 Forbidden")]);
    const row = seenStepsOf(locked, { ladder: ["nudge"] });

    expect(isList(row, row.at(-1)!)).toBe(false);
    expect(actionsOf(locked)).toContain("nudge");
  });
});

describe("isOneSubject", () => {
  it("is true where all of them show one file", () => {
    const parts = (path: (at: number) => string) =>
      seenStepsOf(
        [0, 1, 2, 3].flatMap((at) => step("read_file", { path: path(at), offset: at }, "the same lines")),
        { ladder: ["nudge"] },
      );

    expect(isOneSubject(parts(() => "a.ts"))).toBe(true);
    expect(isOneSubject(parts((at) => `${at}.ts`))).toBe(false);
    expect(isOneSubject([])).toBe(false);
  });
});

describe("areAboutOne", () => {
  it("goes by the words that calls share with the one before", () => {
    expect(areAboutOne(steps(["retry policy", "the retry policy", "retry policies"]))).toBe(true);
    expect(areAboutOne(steps(["garden chairs", "wooden tables", "green umbrellas"]))).toBe(false);
  });
});
