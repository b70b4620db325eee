import { expect, it } from "vitest";
import { createEventRun, type EventRunOptions } from "./parse.ts";

/** An older event of the agent, and what the run had cost up to it. */
const event = (id: number, accumulated_cost: unknown) => ({
  ...{ id, source: "agent", action: "run", args: { command: `ls ${id}` } },
  llm_metrics: { accumulated_cost },
});

/** What a run with these events is said to have cost. */
function costOf(events: readonly object[], options: EventRunOptions = {}): number | undefined {
  let costUsd: number | undefined;
  const session = (_: string, { total }: { total?: { costUsd?: number | undefined } | undefined }): void => {
    costUsd = total?.costUsd ?? costUsd;
  };
  const run = createEventRun("run", { session, event() {}, usage() {}, end() {} }, options);
  for (const each of events) run.take(each);
  run.end();
  return costUsd;
}

it("takes what the latest event says that the run cost so far", () => {
  expect(costOf([event(1, 0.1), event(2, 0.25), event(3, "much"), event(4, -1)])).toBe(0.25);
});

it("takes the word of the file on the whole run first", () => {
  expect(costOf([event(1, 0.1)], { costUsd: 0.3 })).toBe(0.3);
});

it("says nothing where nothing is said", () => {
  expect(costOf([event(1, undefined)])).toBeUndefined();
});
