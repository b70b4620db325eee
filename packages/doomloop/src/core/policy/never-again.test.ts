import { describe, expect, it } from "vitest";
import { call, failure, findingsOf, newRun, result, times } from "../../../../../test/builders.ts";
import { repeatedCall } from "../detectors/repeated-call.ts";
import type { AgentEvent } from "../event.ts";
import { neverAgain } from "./never-again.ts";

/** What the rule finds in the last call of a run. */
function foundIn(events: readonly AgentEvent[]) {
  const run = newRun();
  let found: ReturnType<typeof neverAgain>;
  for (const event of events) {
    const moved = run.take(event);
    if (moved.kind === "call") found = neverAgain(run.state, moved.step);
  }
  return found;
}

describe("neverAgain", () => {
  const pay = call("pay", { invoice: 12 });

  it("finds a call that succeeded before", () => {
    expect(foundIn([pay, result("paid"), pay])).toMatchObject({
      kind: "repeated-call",
      steps: [1],
      count: 2,
      confidence: 1,
    });
  });

  it.each<[string, AgentEvent[]]>([
    ["that is the first", [pay]],
    ["that failed before", [pay, failure("declined"), pay]],
    ["with other arguments", [pay, result("paid"), call("pay", { invoice: 13 })]],
  ])("finds nothing in a call %s", (_what, events) => {
    expect(foundIn(events)).toBeUndefined();
  });

  it("gives the loop the identity that the detector of repeated calls gives it", () => {
    const [seen] = findingsOf(repeatedCall({ threshold: 2 }), times(2, [pay, result("paid")]));

    expect(foundIn([pay, result("paid"), pay])?.loop).toBe(seen?.loop);
  });
});
