import { expect, it } from "vitest";
import { createCheckWatch, joinChecks } from "./check-runs.ts";

it("counts how often each check ran and failed, most failures first", () => {
  const watch = createCheckWatch();
  for (const isFailing of [true, false, true]) watch.note("npm test", isFailing);
  watch.note("tsc", false);

  expect(watch.finish()).toEqual([
    { what: "npm test", runs: 3, failed: 2 },
    { what: "tsc", runs: 1, failed: 0 },
  ]);
});

it("adds up the checks of several runs, and keeps those that failed most", () => {
  const runs = [
    [{ what: "tsc", runs: 2, failed: 1 }],
    [
      { what: "go test", runs: 9, failed: 4 },
      { what: "tsc", runs: 5, failed: 5 },
    ],
  ];

  expect(joinChecks(runs, 1)).toEqual([{ what: "tsc", runs: 7, failed: 6 }]);
});

it("keeps a bounded number of checks", () => {
  const watch = createCheckWatch();
  for (let at = 0; at < 1_000; at++) watch.note(`check ${at}`, true);

  expect(watch.finish().length).toBeLessThanOrEqual(20);
});
