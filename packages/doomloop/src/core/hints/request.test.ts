import { describe, expect, it } from "vitest";
import { readRequest } from "./request.ts";

describe("readRequest", () => {
  it.each([
    ["Look at it 12 times.", 12],
    ["Take 25 readings of the boiler.", 25],
    ["Throw the die five times.", 5],
    ["Please run it 3x", 3],
    ["Repeat the test that failed 4 times.", 4],
    ["Try it 999 times.", 100],
    ["Read the manual, then press it 7 times.", 7],
    ["5回確認して。", 5],
    ["Fix the bug in line 12.", 0],
    ["", 0],
  ])("reads how often in %j: %i", (text, times) => {
    expect(Math.max(0, ...readRequest(text).orders.map((order) => order.times))).toBe(times);
  });

  it.each([
    ["Ring up 24 bottles of water.", 24],
    ["Ring up the 24 bottles.", 24],
    ["Fix the bug in line 12.", 0],
  ])("reads how many things there are in %j: %i", (text, items) => {
    expect(Math.max(0, ...readRequest(text).orders.map((order) => order.items))).toBe(items);
  });

  it.each([
    "Wait until it is done.",
    "Keep an eye on the log.",
    "Check it every five minutes.",
    "Deploy it and tell me when it is up.",
    "Prüfe es bis heute Abend.",
    "まで待って",
  ])("reads a series in %j", (text) => {
    expect(readRequest(text).orders.map(({ isSeries }) => isSeries)).toEqual([true]);
  });

  it.each([
    "Fix the login. Make sure every test passes.",
    "The client should retry 50 times before it gives up.",
    "A load test with 100 runs found it.",
    "It allows 100 requests per minute; watch out for the limit.",
    "It worked until last week.",
    "git push has failed 15 times. Find out why.",
    "The suite fails in 12 of 40 runs.",
    "CI was red for 3 hours.",
    "Keep going until all tests pass.",
    "What did Ada order?",
    "",
  ])("reads no order in %j", (text) => {
    expect(readRequest(text).orders).toEqual([]);
  });

  it("tells words that may mean more than one call from a request without any", () => {
    expect(readRequest("Fix the login. Make sure every test passes.").isHint).toBe(true);
    expect(readRequest("What did Ada order?").isHint).toBe(false);
  });

  it("reads the beginning and the end of a long request", () => {
    const filler = "Some words that ask for nothing. ".repeat(900);

    expect(readRequest(`${filler}Do it 7 times.`).orders[0]?.times).toBe(7);
    expect(readRequest(`Do it 7 times. ${filler}`).orders[0]?.times).toBe(7);
  });

  it("keeps a bounded number of orders", () => {
    expect(readRequest("Run it 3 times.\n".repeat(1_000)).orders).toHaveLength(12);
  });
});
