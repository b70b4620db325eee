import { buildWorkflowTests, setupWorkflowTests, teardownWorkflowTests } from "@workflow/vitest";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { start } from "workflow/api";
import { type Condition, type Written, writeCards } from "./workflows/write-cards.ts";

/** The beginning of what the agent reads, by the index of the call, from 1. */
function expectBroken({ steps, read, explanation, faults }: Written): void {
  const first = (words: string): number => read.findIndex((text) => text.includes(`[doomloop] ${words}`)) + 1;

  expect({ told: first(""), refused: first("Not run"), ended: first("This run is stopped"), steps, faults }).toEqual({
    told: 3,
    refused: 10,
    ended: 20,
    steps: 20,
    faults: [],
  });
  expect(read[0]).toContain("schema mismatch");
  expect(explanation).toMatch(/^Stopped: the agent called `write_card` 11 times/);
}

describe.each<Condition>(["none", "function", "list", "empty list"])(
  "a WorkflowAgent whose condition is: %s",
  (condition) => {
    it("is told, refused and ended in Node", async () => {
      expectBroken(await writeCards(condition, false));
    });
  },
);

describe("in the runtime of workflows", () => {
  const options = { cwd: import.meta.dirname };

  beforeAll(async () => {
    await buildWorkflowTests(options);
    await setupWorkflowTests(options);
  });
  afterAll(() => teardownWorkflowTests());

  it.each<[Condition, string, boolean]>([
    ["none", "is a step", true],
    ["function", "is none", false],
    ["list", "is a step", true],
    ["empty list", "is none", false],
  ])("a loop is broken with the condition: %s, if the tool %s", async (condition, _what, isStep) => {
    const workflow = { workflowId: "workflow//./workflows/write-cards//writeCards" };
    const run = await start<[Condition, boolean], Written>(workflow, [condition, isStep]);

    expectBroken(await run.returnValue);
  });
});
