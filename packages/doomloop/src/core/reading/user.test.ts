import type { AgentEvent } from "doomloop";
import { expect, it } from "vitest";
import { decisionsOf, newRun, step, times, user } from "../../../../../test/builders.ts";

const read = step("read_file", { path: "src/parser.ts" }, "export const parser = 1;\nexport const tree = 2;\n");
const depth = step("get_queue_depth", { queue: "parser" }, "The queue holds 3 jobs, all of them of yesterday.");
const firstTold = (request: string, calls: readonly AgentEvent[]) =>
  decisionsOf([user(request), ...times(60, calls)])[0]?.at ?? Infinity;
const asks = (request: string, count: number) => [user(request), ...times(count, depth)];
const NONE = firstTold("How deep is the queue?", depth);
const FILLER = "Some words that ask for nothing. ".repeat(30);

it.each([
  "Fix the parser. Make sure every test passes.",
  "Fix the parser. The client should retry 50 times.",
  "Fix the parser and tell me when you are done.",
  "Run the load test 50 times, and fix what it finds.",
])("hears no order about a file that is read again: %s", (request) => {
  expect(firstTold(request, read)).toBe(firstTold("Fix the parser.", read));
});

it.each([
  "Check the queue 12 times.",
  "Check the queue until it is empty.",
  "Watch the queue for ten minutes.",
  `${FILLER}Check the queue until it is empty.`,
])("lets a call be made again that an order is about, and not for ever: %s", (request) => {
  expect(firstTold(request, depth)).toBeGreaterThan(NONE + 4);
  expect(firstTold(request, depth)).toBeLessThan(Infinity);
});

it("hears an order of a long request for what it names only", () => {
  expect(firstTold(`${FILLER}Check the pressure until it drops.`, depth)).toBeLessThanOrEqual(NONE + 2);
});

it("goes on with an order after a word to go on, and when it is given once more", () => {
  expect(decisionsOf([...asks("Read the depth of the queue 12 times.", 6), ...asks("Go on.", 6)])).toEqual([]);
  expect(decisionsOf(times(2, asks("Read the depth of the queue 8 times.", 8)))).toEqual([]);
});

it.each([
  ["Go on.|Go on.|Yes.|Yes.", "user user user user"],
  ["Please continue until it is done.|Please continue until it is done.", "user nothing"],
  ["Continue.|Continue.|Continue.", "user user nothing"],
])("knows a person from a harness: %s", (texts, kinds) => {
  const run = newRun();
  const heard = texts.split("|").map((each) => [user(each), ...depth].map((event) => run.take(event).kind)[0]);

  expect(heard).toEqual(kinds.split(" "));
});
