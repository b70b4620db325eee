import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { call, decisionsOf, failure, times } from "../../../../../test/builders.ts";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { acknowledges, didNotRun, failingTests, saysItGoesOn, saysItIsOver, saysWhatChanged } from "./answer-says.ts";

const GOING = [
  "pending",
  "in progress",
  "still building the image",
  "ContainerCreating",
  "not ready",
  "40% complete",
  '{"state": "running"}',
  '{"status":"in_progress"}',
  "status=IN_PROGRESS",
  "<status>running</status>",
  '"phase": "Provisioning"',
  "progress: 40%",
  '{"id": 7, "conclusion": ""',
  "Process running with id 7",
  "The job 4711 is waiting for a runner",
  "driving",
  '{"mode": "heating"}',
];
const OVER = [
  "status: failed",
  '{"state": "cancelled"}',
  "The deployment was rolled back",
  "CrashLoopBackOff",
  "job 7: exited with 1",
  "no such job",
  "terminated",
  "status: succeeded",
  '{"status": "declined"}',
  "phase = Merged",
];
const NEITHER = [
  "done",
  "nothing",
  "type: string",
  "declined by nobody",
  "export const a = 1;",
  "2 of 3 tests passed",
  "",
  "the ring is gold",
];

describe("an answer that says that something goes on", () => {
  it.each(GOING)("is %j", (text) => {
    expect(saysItGoesOn(text)).toBe(true);
  });

  it.each([...OVER, ...NEITHER])("is not %j", (text) => {
    expect(saysItGoesOn(text)).toBe(false);
  });

  it("is a short one: a report that mentions what is running is about something else", () => {
    const report =
      "The quarterly report is with the board, three offers are pending and the campaign is running in all five of our regions.";

    expect(saysItGoesOn(report)).toBe(true);
    expect(saysItGoesOn(`${report} Nobody expects an answer before the end of the week.`)).toBe(false);
    expect(saysItGoesOn(`{"state": "running"} ${"and more. ".repeat(50)}`)).toBe(false);
  });

  it.each(["100% complete", "100 % done", "progress: 100%"])("is not that all is done: %j", (text) => {
    expect(saysItGoesOn(text)).toBe(false);
  });
});

describe("an answer that says that all is over", () => {
  it.each(OVER)("is %j", (text) => {
    expect(saysItIsOver(text)).toBe(true);
  });

  it.each([...GOING, ...NEITHER])("is not %j", (text) => {
    expect(saysItIsOver(text)).toBe(false);
  });

  it("is not one in which something goes on besides", () => {
    expect(saysItIsOver("status: running, 1 of 3 failed")).toBe(false);
    expect(saysItIsOver("status: ended, 1 of 3 failed")).toBe(true);
  });

  it("is a short one", () => {
    expect(saysItIsOver(`killed ${"after a long fight ".repeat(30)}`)).toBe(false);
  });
});

describe("an answer that says how much was changed", () => {
  it.each([
    "1000 rows affected",
    "Deleted: 12",
    '{"processed": 40}',
    "moved 3",
    "UPDATE 7",
    "INSERT 0 12",
    "3 files were archived",
  ])("is %j", (text) => {
    expect(saysWhatChanged(text)).toBe(true);
  });

  it.each(["0 rows affected", "DELETE 0", "deleted", "ok", "there are rows", "", '{"processed": 0}'])(
    "is not %j",
    (text) => {
      expect(saysWhatChanged(text)).toBe(false);
    },
  );

  it("is a curt one", () => {
    expect(saysWhatChanged("12 rows".padEnd(120, "."))).toBe(true);
    expect(saysWhatChanged("12 rows".padEnd(121, "."))).toBe(false);
  });
});

describe("an answer that acknowledges", () => {
  it.each([
    "Clicked",
    "Launched the app",
    "OK",
    "okay.",
    "Done!",
    "Successfully saved the note",
    "Sent to Anna",
    "✓ Set",
  ])("is %j", (text) => {
    expect(acknowledges(text)).toBe(true);
  });

  it.each([
    "The app was launched",
    "not done",
    "3 rows",
    "",
    "red",
    "Clicked\nand then some",
    `Done ${"so ".repeat(30)}`,
  ])("is not %j", (text) => {
    expect(acknowledges(text)).toBe(false);
  });
});

describe("every answer", () => {
  it("goes on, is over, or neither, and says nothing of the kind at length", () => {
    const text = fc.array(fc.constantFrom(...GOING, ...OVER, ...NEITHER), { maxLength: 40 });
    const property = fc.property(text, fc.constantFrom(" ", "\n", ", "), (parts, between) => {
      const whole = parts.join(between);

      expect(saysItGoesOn(whole) && saysItIsOver(whole)).toBe(false);
      if (whole.length > 400) expect([saysItGoesOn, saysItIsOver].some((says) => says(whole))).toBe(false);
    });
    fc.assert(property, { numRuns: propertyRuns() });
  });
});

const CANCELLED = [
  "<tool_use_error>Sibling tool call errored</tool_use_error>",
  "Tool call was cancelled",
  "The tool execution has been aborted by the user.",
  "tool calls were skipped",
  "Tool use interrupted",
  "Error: cancelled",
  "[Skipped] another call failed first",
  "Request was aborted.",
  "This call never started.",
];

describe("didNotRun", () => {
  it.each(CANCELLED)("is what a failing result says with %j", (text) => {
    expect(didNotRun(text, true)).toBe(true);
  });

  it.each(CANCELLED)("is not what a result says that does not fail: %j", (text) => {
    expect(didNotRun(text, false)).toBe(false);
  });

  it.each([
    "no such file",
    "Order 7 was cancelled",
    "The customer aborted the payment",
    "1 failed, 2 skipped",
    "the tool box is empty",
    "",
  ])("is not what a failing result says with %j", (text) => {
    expect(didNotRun(text, true)).toBe(false);
  });

  it.each([
    "Aborted (core dumped)",
    "Error: the dev server never started within 30 s",
    "The operation was aborted due to timeout",
    "Request cancelled after a time-out",
  ])("is not what a program says that ran and failed: %j", (text) => {
    expect(didNotRun(text, true)).toBe(false);
  });

  it("is read in a result of up to three hundred characters", () => {
    const text = (length: number) => "Tool call was cancelled".padEnd(length, ".");

    expect([300, 301].map((length) => didNotRun(text(length), true))).toEqual([true, false]);
  });

  it("is never read in what succeeded, or in a long result", () => {
    const property = fc.property(fc.constantFrom(...CANCELLED), fc.nat(600), fc.boolean(), (words, more, isFailing) => {
      const text = `${words}${"x".repeat(more)}`;
      if (!isFailing || text.length > 300) expect(didNotRun(text, isFailing)).toBe(false);
    });
    fc.assert(property, { numRuns: propertyRuns() });
  });

  it("keeps a batch that is cancelled and sent again from being a loop, and no failing call", () => {
    const batch = (output: string) => times(6, [call("get_order", { id: 7 }), failure(output)]);

    expect(decisionsOf(batch("Tool call was cancelled"))).toEqual([]);
    expect(decisionsOf(batch("The order was not found"))).not.toEqual([]);
  });
});

describe("failingTests", () => {
  it.each([
    ["Tests: 3 failed, 12 passed", 3],
    ["===== 1 failed, 2 passed in 0.12s =====", 1],
    ["FAILED (failures=2, errors=1)", 2],
    ["  4 failing", 4],
    ["Failed: 7", 7],
    ["12 errors found", 12],
    ["Test Suites: 1 failed, 3 passed, 4 total\nTests:       9 failed, 40 passed, 49 total\nTime:        2 s", 9],
    [" Test Files  2 failed | 1 passed (3)\n      Tests  5 failed | 8 passed (13)", 5],
    ["all tests passed", undefined],
    ["", undefined],
  ])("in %j are %j", (output, failing) => {
    expect(failingTests(output)).toBe(failing);
  });

  it("are read from the end of a long output", () => {
    expect(failingTests(`9 failed\n${"a line\n".repeat(200)}2 failed`)).toBe(2);
  });
});
