import { createGuard } from "doomloop";
import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../packages/doomloop/src/core/event.ts";
import { call, failure, result, round } from "../builders.ts";
import { costMs, limitHere, timesAsLong } from "../shortest-time.ts";

/** The longest that one event may keep an agent waiting. */
const MAX_MS = 30;
/** What that is on this machine. Others may come to use it meanwhile. */
let limitMs = limitHere(MAX_MS);
/** The fastest of a few attempts counts: what comes between, such as a collection of garbage, is not the guard's. */
const ATTEMPTS = 30;

/** What the dearest of some events costs a new guard: each at best, of as many attempts as it takes to be cheap enough. */
function dearestOf(events: readonly AgentEvent[]): number {
  const costs = events.map(() => Number.POSITIVE_INFINITY);
  for (let attempt = 0; attempt < ATTEMPTS && Math.max(...costs) >= limitMs; attempt++) {
    const guard = createGuard();
    for (const [at, event] of events.entries())
      costs[at] = Math.min(
        costs[at]!,
        costMs(() => void guard.observe(event)),
      );
    if (attempt % 10 === 9) limitMs = Math.max(limitMs, limitHere(MAX_MS));
  }
  return Math.max(...costs);
}

/** How often a guard speaks when these arguments are used in turn, with the same answer each time. */
function alarms(values: readonly unknown[], count = 20): number {
  const guard = createGuard({ ladder: ["nudge"] });
  let spoke = 0;
  for (let at = 0; at < count; at++) {
    guard.observe(round);
    guard.observe(call("get_thing", values[at % values.length]));
    if (guard.observe(result("This is the thing that was asked for, as ever.")).action !== "continue") spoke++;
  }
  expect(guard.stats().faults).toBe(0);
  return spoke;
}

/** The same for outputs. */
function outputAlarms(values: readonly unknown[], count = 20): number {
  const guard = createGuard({ ladder: ["nudge"] });
  let spoke = 0;
  for (let at = 0; at < count; at++) {
    guard.observe(round);
    guard.observe(call("get_thing", { id: 1 }));
    if (guard.observe(result(values[at % values.length])).action !== "continue") spoke++;
  }
  expect(guard.stats().faults).toBe(0);
  return spoke;
}

class Point {
  readonly #x = 1;
  get x(): number {
    return this.#x;
  }
}
const nested = (depth: number): unknown => {
  let value: unknown = 1;
  for (let at = 0; at < depth; at++) value = at % 2 === 0 ? [value] : { value };
  return value;
};
const revoked = (): unknown => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};

/** Values that are not compared: each equals nothing, itself included. */
const opaque: [string, () => unknown][] = [
  ["an instance with private fields only", () => new Point()],
  ["a symbol", () => Symbol("s")],
  ["a promise", () => Promise.resolve(1)],
  ["a weak map", () => new WeakMap()],
  ["a value with a getter", () => Object.defineProperty({ a: 1 }, "b", { get: () => 1, enumerable: true })],
  ["a proxy", () => new Proxy({}, {})],
  ["a proxy of a list", () => new Proxy([1], {})],
  ["a revoked proxy", revoked],
  ["a depth of a million", () => nested(1_000_000)],
  ["a text of 100 MB", () => HUGE],
  ["forty thousand fields", () => FIELDS],
  ["a huge map", () => new Map(MILLION.slice(0, 50_000).map((at) => [at, at]))],
  ["a huge set", () => new Set(MILLION.slice(0, 50_000))],
  ["a huge sparse list", () => new Array(4_000_000_000)],
  ["huge bytes", () => new Uint8Array(5_000_000)],
  ["a huge integer", () => 1n << 1_000_000n],
  ["an error without a message of its own", () => Object.create(Error.prototype)],
];
const HUGE = "x".repeat(100_000_000);
const MILLION = Array.from({ length: 1_000_000 }, (_, at) => at);
const FIELDS = Object.fromEntries(MILLION.slice(0, 40_000).map((at) => [`field-${at}`, at]));

describe("a value that is not compared", () => {
  it.each(opaque)("never makes a finding as arguments: %s", (_, make) => {
    const value = make();

    expect(alarms([{ value }])).toBe(0);
    expect(alarms([value])).toBe(0);
  });

  it.each(opaque.filter(([name]) => !name.includes("text")))("never makes a finding as an output: %s", (_, make) => {
    const value = make();

    expect(outputAlarms([{ value }])).toBe(0);
  });

  it.each(opaque)(`takes no more than ${MAX_MS} ms: %s`, (_, make) => {
    const value = make();
    const events: AgentEvent[] = [call("get_thing", { value }), result(value), { type: "state", key: "k", value }];

    expect(dearestOf(events)).toBeLessThan(limitMs);
  });
});

/** Values of which not all is read. Each makes one that differs from it at a place that is. */
const large: [string, () => unknown, () => unknown][] = [
  ["a list of a million", () => [...MILLION], () => [...MILLION.slice(0, -1), -1]],
  ["a list of a million and one more", () => MILLION, () => [...MILLION.slice(0, -1), 1, 999_999]],
  ["a hundred thousand rows", () => rowsOf(100_000), () => rowsOf(100_000, "changed")],
  ["rows in a field", () => ({ rows: rowsOf(30_000), total: 1 }), () => ({ rows: rowsOf(30_000), total: 2 })],
  ["lists in a list", () => Array(500).fill(MILLION.slice(0, 5_000)), () => Array(501).fill(MILLION.slice(0, 5_000))],
  ["thirty thousand fields", () => fieldsOf(30_000), () => fieldsOf(30_000, "changed")],
  ["an object many times", () => Array(40_000).fill(fieldsOf(30_000)), () => Array(40_001).fill(fieldsOf(30_000))],
  ["fields without values", () => Array(9_000).fill(UNDEFINED), () => Array(9_001).fill(UNDEFINED)],
];
const rowsOf = (count: number, last = "Rome"): object[] =>
  Array.from({ length: count }, (_, id) => ({
    id,
    name: `user ${id}`,
    ok: true,
    city: id < count - 1 ? "Rome" : last,
  }));
const fieldsOf = (count: number, last = "x"): object =>
  Object.fromEntries(MILLION.slice(0, count).map((at) => [`field-${at}`, at < count - 1 ? at : last]));
const UNDEFINED = Object.fromEntries(MILLION.slice(0, 30_000).map((at) => [`field-${at}`, undefined]));

describe("a large value", () => {
  it.each(large)("is compared as arguments: %s", (_, make, other) => {
    expect(alarms([{ value: make() }, { value: make() }])).toBeGreaterThan(0);
    expect(alarms([{ value: make() }, { value: other() }], 4)).toBe(0);
  });

  it.each(large)("is compared as an output: %s", (_, make) => {
    expect(outputAlarms([make(), make()])).toBeGreaterThan(0);
  });

  it.each(large)(`takes no more than ${MAX_MS} ms: %s`, (_, make) => {
    const value = make();
    const events: AgentEvent[] = [call("get_thing", { value }), result(value), { type: "state", key: "k", value }];

    expect(dearestOf(events)).toBeLessThan(limitMs);
  });
});

describe("an object with a million fields", () => {
  const huge = Object.fromEntries(MILLION.map((at) => [`field-${at}`, at]));
  const list = () => void Object.keys(huge);

  // There is no way to count fields without listing them all.
  it.each<[string, AgentEvent[]]>([
    ["arguments", [call("get_thing", huge)]],
    ["an argument", [call("get_thing", { huge })]],
    ["output", [call("get_thing", {}), result(huge)]],
    ["a part of an output", [call("get_thing", {}), result([{ huge }, { huge }])]],
    ["a state", [{ type: "state", key: "k", value: huge }]],
  ])("is listed no more than once as %s", (_, events) => {
    const observe = () => {
      const guard = createGuard();
      for (const event of events) guard.observe(event);
    };

    expect(timesAsLong(observe, list, 1.6)).toBeLessThan(1.6);
  });

  it("is listed no more than once though it holds itself", () => {
    const cyclic: Record<string, unknown> = { ...huge };
    cyclic["field-0"] = cyclic;
    const observe = () => {
      const guard = createGuard();
      guard.observe(call("get_thing", {}));
      guard.observe(result(cyclic));
    };

    expect(timesAsLong(observe, () => void Object.keys(cyclic), 1.6)).toBeLessThan(1.6);
  });
});

describe("a value at its worst within the caps", () => {
  const worst: [string, () => unknown][] = [
    ["a text just below the cap", () => "é".repeat(262_000)],
    ["a list just below the cap", () => MILLION.slice(0, 19_000)],
    ["lists in lists", () => Array.from({ length: 130 }, () => MILLION.slice(0, 130))],
    ["one list in many places", () => Array(19_000).fill([])],
    ["many fields in bad order", () => Object.fromEntries(MILLION.slice(0, 9_000).map((at) => [`f${9_000 - at}`, at]))],
    [
      "fields of long names",
      () => Object.fromEntries(MILLION.slice(0, 50).map((at) => [`${at}`.padStart(5_000, "f"), 1])),
    ],
    ["JSON text of many objects", () => JSON.stringify(Array.from({ length: 20_000 }, () => ({ a: 1 })))],
    ["JSON text of great depth", () => "[".repeat(130_000) + "]".repeat(130_000)],
    ["text that opens JSON again and again", () => '{"a":'.repeat(50_000)],
    ["a command of many parts", () => ({ command: "ls a && ".repeat(20_000) })],
    ["a command of nested shells", () => ({ command: "bash -c '".repeat(10_000) })],
    ["a command of open brackets", () => ({ command: "$(".repeat(50_000) })],
    ["a command of quotes", () => ({ command: "'\"".repeat(50_000) })],
    ["a command of one long word", () => ({ command: "x".repeat(200_000) })],
    ["a command of here-documents", () => ({ command: "cat <<A\n".repeat(20_000) })],
    ["a path of many slashes", () => ({ path: "/".repeat(200_000) })],
    ["a path of many dots", () => ({ path: "./".repeat(100_000) })],
    ["an edit of long texts", () => ({ path: "a", old_string: "x".repeat(120_000), new_string: "y".repeat(120_000) })],
  ];

  it.each(worst)(`takes no more than ${MAX_MS} ms as arguments: %s`, (_, make) => {
    expect(dearestOf([call("bash", make())])).toBeLessThan(limitMs);
  });

  const outputs: [string, string][] = [
    ["a long line", "x".repeat(1_000_000)],
    ["many lines", "a\n".repeat(500_000)],
    ["many spaces", " ".repeat(1_000_000)],
    ["many digits", "1".repeat(1_000_000)],
    ["many dots", ".".repeat(1_000_000)],
    ["many quotes", "'\"`".repeat(300_000)],
    ["many words of failure", "error: ".repeat(150_000)],
    ["many colons", "a:".repeat(500_000)],
    ["many braces", "{},;".repeat(250_000)],
    ["letters beyond ASCII", "é€😀".repeat(200_000)],
    ["lone surrogates", "\ud800".repeat(500_000)],
    ["almost exit codes", "exit code ".repeat(100_000)],
    ["almost times", "2026-03-04T".repeat(100_000)],
    ["eight megabytes", "line of a log\n".repeat(580_000)],
  ];

  it.each(outputs)(`takes no more than ${MAX_MS} ms as output: %s`, (_, output) => {
    const look = call("read_log", {});
    const events = [
      look,
      result(`${output}1`),
      look,
      result(`${output}2`),
      look,
      failure(output),
      look,
      failure(`${output}3`),
    ];

    expect(dearestOf(events)).toBeLessThan(limitMs);
  });

  it.each(outputs)(`takes no more than ${MAX_MS} ms as words: %s`, (_, words) => {
    const events: AgentEvent[] = [
      { type: "text", text: words },
      { type: "text", text: words, partial: true },
      { type: "reasoning", text: words },
      { type: "user", text: words },
    ];

    expect(dearestOf(events)).toBeLessThan(limitMs);
  });
});
