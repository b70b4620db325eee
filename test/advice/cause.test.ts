import type { AgentEvent } from "doomloop";
import { expect, it } from "vitest";
import { closeRun } from "../../packages/doomloop/src/scan/close-run.ts";
import { watchRun } from "../../packages/doomloop/src/scan/watch-run.ts";
import { call } from "../builders.ts";
import { CALLS_THAT_WORK } from "./calls-that-work.ts";
import { EDITS_AND_TESTS } from "./edits-and-tests.ts";
import { FAILING_CALLS } from "./failing-calls.ts";
import { NO_CAUSE } from "./no-cause.ts";

/** The cause of the first loop in a run, as a scan tells it. */
function causeIn(events: readonly AgentEvent[]): string {
  const watch = watchRun("run", { guardOptions: {}, keepsAll: false, includesContent: false });
  for (const event of events) watch.observe(event, undefined);
  return closeRun(watch, "trace", { prices: undefined, tokensPerCharacter: undefined }).loops[0]?.cause ?? "no loop";
}

it.each(Object.entries({ ...FAILING_CALLS, ...EDITS_AND_TESTS, ...CALLS_THAT_WORK, ...NO_CAUSE }))(
  "tells the cause %s",
  (cause, loops) => {
    expect(loops.map(causeIn)).toEqual(loops.map(() => cause));
  },
);

it("claims no cause for a run that shows no results", () => {
  const events = Array.from({ length: 40 }, (_, at) => call("click", { selector: "#save" }, { id: `c${at}` }));

  expect(causeIn(events)).toBe("unknown");
});
