import { expect, it } from "vitest";
import { readWords } from "../reading/text.ts";
import { didNotRun, failingTests, readResult, saysItGoesOn } from "./results.ts";

const read = (text: string) => readResult(readWords(text, []), text.length, "watch", text.includes("\n"));

it.each<[string, (text: string) => boolean, yes: string[], no: string[]]>([
  [
    "goes on",
    saysItGoesOn,
    ["status: running", '{"state":"QUEUED"}', "still compiling", "not ready", "phase: Initializing"],
    ["done", "category: clothing", "shipped", "", "a long story. ".repeat(40)],
  ],
  [
    "is over",
    (text) => read(text).isOver,
    ["status: completed", "the job failed", "conclusion: success", "expired", "state: closed"],
    ["running", "1 failed, still running", "all is well", ""],
  ],
  [
    "is only confirmed",
    (text) => read(text).isDone,
    ["ok", "Clicked.", "done", "Successfully saved", "  Sent "],
    ["404 Not Found", "the parcel is in Oslo", "3"],
  ],
  [
    "did not run",
    didNotRun,
    ["Tool call was cancelled", "Cancelled by user", "The operation was aborted", "[Request interrupted by user]"],
    ["aborted due to timeout", "no such file", "The order was cancelled by the shop last week."],
  ],
])("reads that something %s", (_, says, yes, no) => {
  expect([...yes.filter((text) => !says(text)), ...no.filter(says)]).toEqual([]);
});

it("reads how many tests fail", () => {
  const said = ["Tests: 3 failed, 12 passed", "Suites: 1 failed\nTests: 4 failed", "FAILED (failures=2)", "Failed: 7"];

  expect([...said, "all passed"].map(failingTests)).toEqual([3, 4, 2, 7, undefined]);
});
