import { expect, it } from "vitest";
import { step, times } from "../../../../test/builders.ts";
import { closeRun } from "./close-run.ts";
import { createReportBuilder } from "./report-builder.ts";
import { watchRun } from "./watch-run.ts";

it("gives the number of decisions if it does not list them all", () => {
  expect(loopOf(200)).toMatchObject({ decisions: { length: 100 }, decided: 192 });
  expect(loopOf(20)).toMatchObject({ decisions: { length: 12 }, decided: 12 });
});

/** The loop of a run that repeats one call. */
function loopOf(calls: number) {
  const watch = watchRun("run", { guardOptions: {}, keepsAll: false, includesContent: false });
  for (const event of times(calls, step("read_file", { path: "a.ts" }, "no such file", { error: true })))
    watch.observe(event, undefined);
  const record = closeRun(watch, "trace", { prices: undefined, tokensPerCharacter: undefined });
  const builder = createReportBuilder({
    ...{ version: "1.0.0", preset: "balanced", since: undefined, until: undefined, pricesAsOf: null },
    ...{ includesContent: false, hasSteps: false, accepts: () => true },
  });
  const file = { path: "a.jsonl", size: 1, modifiedMs: 1 };
  builder.add(file, { agent: "trace", runs: [record], steps: {}, skippedLines: 0, longLines: 0, fault: null });
  return builder.build(0).loops[0];
}
