import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../packages/doomloop/src/core/event.ts";
import { actionsOf, decisionsOf, step } from "../builders.ts";

const body = "export function add(one: number, other: number): number {\n  return one + other;\n}\n";
const run = (count: number, output: (at: number) => string): AgentEvent[] =>
  Array.from({ length: count }, (_, at) => step("read_file", { path: "src/add.ts" }, output(at))).flat();

const footers: [string, (at: number) => string][] = [
  ["how often it was read", (at) => `(read ${at + 1}x)`],
  ["a time", (at) => `fetched at 2026-03-04T10:${11 + at}:07.123Z`],
  ["a time of day", (at) => `as of 10:${11 + at}:59`],
  ["a date and a time", (at) => `2026-03-04 10:${10 + at}:12 done`],
  ["seconds since 1970", (at) => `now ${1_770_000_000 + 37 * at}`],
  ["a duration in milliseconds", (at) => `took ${113 + 41 * at}ms`],
  ["a duration in seconds", (at) => `Finished in ${at}.${at}3s`],
  ["a duration in words", (at) => `done after ${3 + at} seconds`],
  ["a process id", (at) => `[${48_211 + at}] ended`],
  ["a named process id", (at) => `pid ${48_211 + 17 * at} ended`],
  ["a request id", (at) => `request-id: 7f3a9c${at}e4b81d2c${at}`],
  ["a uuid", (at) => `trace 3f2504e0-4f89-41d3-9a0c-0305e82c330${at}`],
  ["an address in memory", (at) => `<Response object at 0x7f3a9c1e${at}b80>`],
  ["a port", (at) => `served from localhost:${50_000 + at * 311}`],
  ["a temporary path", (at) => `log kept at /tmp/run-${"abcdefgh"[at]}xq/out.log`],
  ["an id that is part of a name", (at) => `report_3f2504e0-4f89-41d3-9a0c-0305e82c330${at}.json`],
  ["a time that is part of a name", (at) => `report_2026-03-04T10:1${at}:07Z.json`],
  ["characters that nobody sees", (at) => "\u200b".repeat(at) + "\ufeff".repeat(at % 3)],
  ["a retry count", (at) => `attempt ${at + 1}`],
];

describe("a loop", () => {
  it.each(footers)("is found although each result ends with %s", (_, footer) => {
    expect(decisionsOf(run(6, (at) => `${body}\n${footer(at)}`))[0]).toMatchObject({
      finding: { kind: "repeated-call" },
    });
  });

  it.each(footers)("is found although each result begins with %s", (_, footer) => {
    expect(decisionsOf(run(6, (at) => `${footer(at)}\n${body}`))[0]).toMatchObject({
      finding: { kind: "repeated-call" },
    });
  });

  it.each(footers)("of failures is found although each mentions %s", (_, footer) => {
    const events = Array.from({ length: 6 }, (_, at) =>
      step("deploy_it", { to: "staging" }, `Error: the gate is closed\n${footer(at)}`, { error: true }),
    ).flat();

    expect(actionsOf(events).length).toBeGreaterThan(0);
  });

  it("is found although the fields of the result are a value with a time in it", () => {
    const events = Array.from({ length: 6 }, (_, at) =>
      step("get_user", { id: 7 }, JSON.stringify({ id: 7, name: "Ada", fetchedAt: `2026-03-04T10:11:${10 + at}Z` })),
    ).flat();

    expect(actionsOf(events).length).toBeGreaterThan(0);
  });

  it.each([2, 3])("is found although its answers come round, %i in turn", (count) => {
    const answers = ["the door is open", "nobody is at home", "it rains"].map((words) => `${words}. `.repeat(8));
    const events = Array.from({ length: 12 }, (_, at) => step("get_state", { id: 1 }, answers[at % count])).flat();

    expect(actionsOf(events).length).toBeGreaterThan(0);
  });

  it.each([2, 3])("is found although its answers are short and come round, %i in turn", (count) => {
    const answers = ["the door is open", "nobody is at home", "it rains"];
    const ask = (times: number) =>
      Array.from({ length: times * count }, (_, at) => step("get_state", { id: 1 }, answers[at % count])).flat();

    // For a while, they may be readings, throws or votes.
    expect(actionsOf(ask(3))).toEqual([]);
    expect(actionsOf(ask(24)).length).toBeGreaterThan(0);
  });

  it("is found with the arguments in any order", () => {
    const orders = [
      { path: "a.ts", mode: "text", encoding: "utf8" },
      { encoding: "utf8", path: "a.ts", mode: "text" },
      { mode: "text", encoding: "utf8", path: "a.ts" },
    ];

    expect(decisionsOf(orders.flatMap((args) => step("read_file", args, body)))).toMatchObject([
      { finding: { kind: "repeated-call", evidence: { isFuzzy: false } } },
    ]);
  });

  it("is found with the arguments as JSON text in any order and spacing", () => {
    const texts = [
      '{"path":"a.ts","mode":"text"}',
      '{ "mode": "text", "path": "a.ts" }',
      { path: "a.ts", mode: "text" },
    ];

    expect(actionsOf(texts.flatMap((args) => step("read_file", args, body)))).toEqual(["nudge"]);
  });

  it.each([
    ["a number", (at: number) => ({ query: "how does the scheduler pick the next job to run?", nonce: at * 7919 })],
    [
      "a random word",
      (at: number) => ({ query: "how does the scheduler pick the next job to run?", requestId: `k${at}zq${at * 31}` }),
    ],
    [
      "a word in the question",
      (at: number) => ({ query: `how does the scheduler pick the next job to run? (${"abcdefgh"[at]})` }),
    ],
  ])("is found although %s differs in each call's arguments", (_, args) => {
    const answer = "No documents match this question. Try other words, or widen the range of the search. ".repeat(3);
    const events = Array.from({ length: 8 }, (_, at) => step("search_docs", args(at), answer)).flat();

    expect(decisionsOf(events)[0]?.finding?.kind).toMatch(/^(?:similar-call|repeated-call|same-outcome)$/);
  });
});

describe("what looks volatile but tells something", () => {
  it.each<[string, (at: number) => string]>([
    ["a count that grows", (at) => `${100 * (at + 1)} rows written`],
    ["a percentage", (at) => `progress: ${3 * at}%`],
    ["tests that pass", (at) => `passed: ${at}, total: 20`],
    ["a version", (at) => `released 1.${at}.0`],
    ["a counter that nobody knows", (at) => `${body}\nsequence: ${1000 + 7 * at}`],
    ["a line that grows", (at) => `log:${" one more line".repeat(at)}`],
    [
      "an answer in other words",
      (at) => ["yes, it does", "no, never", "only on Sundays", "ask again", "it depends", "maybe"][at]!,
    ],
  ])("%s is progress", (_, output) => {
    expect(actionsOf(run(6, output))).toEqual([]);
  });
});

describe("a cycle whose results differ in an id", () => {
  it("is told at most for a good while: another id may be another thing", () => {
    const job = (at: number) => `{"id":"3f2504e0-4f89-41d3-9a0c-0305e82c33${10 + at}","kind":"mail"}`;
    const laps = Array.from({ length: 8 }, (_, at) => [...step("pop", {}, job(at)), ...step("ack", {}, "ok")]).flat();

    expect(actionsOf(laps).filter((action) => action !== "nudge")).toEqual([]);
  });
});

describe("a long page", () => {
  const page = (visit: number) =>
    Array.from(
      { length: 90 },
      (_, line) => `[${visit * 1000 + line}] link 'entry ${"abcdefghij"[line % 10]} of the list'`,
    ).join("\n");

  it("is the same page although its elements bear other numbers each time", () => {
    const visits = [1, 2, 3, 4].flatMap((visit) => step("goto", { url: "http://shop.test/list" }, page(visit)));

    expect(decisionsOf(visits)[0]).toMatchObject({ at: 5, finding: { kind: "repeated-call", count: 3 } });
  });

  it("is another page once something else on it has changed", () => {
    const visits = [1, 2, 3, 4, 5, 6].flatMap((visit) =>
      step("goto", { url: "http://shop.test/list" }, page(visit).replaceAll("entry", "entry".padEnd(5 + visit, "x"))),
    );

    expect(decisionsOf(visits)).toEqual([]);
  });
});

describe("a long list", () => {
  it.each([600, 20_000])("is no loop while the last of %i rows changes, of which only the first are read", (count) => {
    const rows = (at: number) =>
      Array.from({ length: count }, (_, id) => ({ id, state: id === count - 1 ? `part ${at} is packed` : "done" }));
    const events = Array.from({ length: 20 }, (_, at) => step("list_jobs", { all: true }, rows(at))).flat();

    expect(actionsOf(events)).toEqual([]);
  });
});
