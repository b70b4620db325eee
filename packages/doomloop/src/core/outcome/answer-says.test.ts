import { describe, expect, it } from "vitest";
import {
  acknowledges,
  didNotRun,
  failingTests,
  saysItGoesOn,
  saysItIsOver,
  saysNothing,
  saysWhatChanged,
} from "./answer-says.ts";

describe("saysItGoesOn", () => {
  it.each(["status: running", '{"state":"QUEUED"}', "still compiling", "not ready", "42% done", "phase: Initializing"])(
    "is true for %j",
    (text) => {
      expect(saysItGoesOn(text)).toBe(true);
    },
  );

  it.each(["done", "category: clothing", "shipped", "", "a long story. ".repeat(40)])("is false for %j", (text) => {
    expect(saysItGoesOn(text)).toBe(false);
  });
});

describe("saysItIsOver", () => {
  it.each(["status: completed", "the job failed", "conclusion: success", "expired", "state: closed"])(
    "is true for %j",
    (text) => {
      expect(saysItIsOver(text)).toBe(true);
    },
  );

  it.each(["running", "1 failed, still running", "all is well", ""])("is false for %j", (text) => {
    expect(saysItIsOver(text)).toBe(false);
  });
});

describe("saysWhatChanged", () => {
  it.each(["1000 rows deleted", "DELETE 1000", '{"affected": 12}', "moved 3 files"])("is true for %j", (text) => {
    expect(saysWhatChanged(text)).toBe(true);
  });

  it.each(["0 rows", "ok", "DELETE 0", '{"affected": 0}'])("is false for %j", (text) => {
    expect(saysWhatChanged(text)).toBe(false);
  });
});

describe("acknowledges", () => {
  it.each(["ok", "Clicked.", "done", "Successfully saved", "  Sent "])("is true for %j", (text) => {
    expect(acknowledges(text)).toBe(true);
  });

  it.each(["404 Not Found", "shipped to Oslo on Friday, and then from there to Bergen by boat and truck", "3"])(
    "is false for %j",
    (text) => {
      expect(acknowledges(text)).toBe(false);
    },
  );
});

describe("saysNothing", () => {
  it.each(["", " \n", "[]", "{}", "null", "0 rows", "(0 rows)", "No matches found.", "exit code: 0", "<out></out>"])(
    "is true for %j",
    (text) => {
      expect(saysNothing(text)).toBe(true);
    },
  );

  it.each(["ok", "[1]", "10 rows", "nobody", "no way", "no, it was found", "<b>bold</b>", "12"])(
    "is false for %j",
    (text) => {
      expect(saysNothing(text)).toBe(false);
    },
  );
});

describe("didNotRun", () => {
  it.each([
    "Tool call was cancelled",
    "Cancelled by user",
    "The operation was aborted",
    "[Request interrupted by user]",
  ])("is true for a failure that says %j", (text) => {
    expect(didNotRun(text, true)).toBe(true);
    expect(didNotRun(text, false)).toBe(false);
  });

  it.each(["aborted due to timeout", "no such file", "The order was cancelled by the shop last week."])(
    "is false for %j",
    (text) => {
      expect(didNotRun(text, true)).toBe(false);
    },
  );
});

describe("failingTests", () => {
  it.each([
    ["Tests: 3 failed, 12 passed", 3],
    ["Test Suites: 1 failed\nTests: 4 failed", 4],
    ["FAILED (failures=2)", 2],
    ["Failed: 7", 7],
    ["all passed", undefined],
  ])("of %j is %s", (text, count) => {
    expect(failingTests(text)).toBe(count);
  });
});
