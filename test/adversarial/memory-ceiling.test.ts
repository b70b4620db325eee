import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createGuard, type Guard, type Snapshot } from "doomloop";
import { describe, expect, it } from "vitest";
import { pack, unpack } from "../../packages/doomloop/src/core/collections/pack.ts";
import type { AgentEvent } from "../../packages/doomloop/src/core/event.ts";
import type { GuardMemory } from "../../packages/doomloop/src/core/guard-memory.ts";
import { call, failure, result, round, step, text } from "../builders.ts";
import { campaignSize } from "../campaign-size.ts";

const CEILING = 65_536;
/** As many calls as nobody makes in years. */
const YEARS = 4e12;

function bytesOf(guard: Guard): number {
  return new TextEncoder().encode(JSON.stringify(guard.snapshot())).length;
}

/** A guard at rest whose run has been going on for years. */
function aged(guard: Guard): Snapshot {
  const { version, memory } = JSON.parse(JSON.stringify(guard.snapshot())) as Snapshot;
  const whole = unpack(memory) as GuardMemory;
  const counters = [
    "calls",
    "round",
    "results",
    "from",
  ] as const;
  for (const name of counters) whole.run[name] += YEARS;
  whole.tally.checks += YEARS;
  return { version, judge: "evidence", memory: pack(whole) };
}

/** Runs events and measures now and then. */
function largest(guard: Guard, full: number, events: (at: number) => AgentEvent[]): number {
  // A guard's tables are full after some hundred calls.
  const count = campaignSize({ short: Math.ceil(full / 3), full });
  let bytes = 0;
  for (let at = 0; at < count; at++) {
    for (const event of events(at)) guard.observe(event);
    if (at % 97 === 0 || at === count - 1) bytes = Math.max(bytes, bytesOf(guard));
  }
  expect(guard.stats().faults).toBe(0);
  return bytes;
}

const wide = '\u{1F4A5}\u4e2d\u6587\u0001"\\'.repeat(40);
const longName = (at: number): string => `${at}-${"名".repeat(340)}`.padEnd(1000, "\u0007");
const longWords = (at: number): string => `${at}: ${"Some words, some: more words; and = others\n".repeat(200)}`;

const runs: [string, number, (at: number) => AgentEvent[]][] = [
  [
    "distinct long calls of long tool names",
    2000,
    (at) => step(longName(at), { path: longWords(at), more: wide }, longWords(at)),
  ],
  [
    "distinct calls of one tool",
    3000,
    (at) => step("read_file", { path: `${at}`, a: at, b: `${at}`, c: [at], d: wide }, longWords(at)),
  ],
  [
    "many outcomes of each call",
    3000,
    (at) => step(longName(at % 130), { path: `${at % 130}`, view: "x" }, longWords(at)),
  ],
  [
    "each call again and again",
    4000,
    (at) => step(longName(at % 120), { path: `${at % 120}`, view: "x" }, `same ${at % 120}`),
  ],
  ["open calls with long ids", 3000, (at) => [call(longName(at), { path: longWords(at) }, { id: `${at}${wide}` })]],
  [
    "open calls with ids of a megabyte",
    100,
    (at) => [call("read_file", { path: `${at}` }, { id: `${at}${"i".repeat(1_000_000)}` })],
  ],
  [
    "failures of all kinds",
    3000,
    (at) => [
      call(longName(at), { way: at }),
      failure(`Error: ${longWords(at)}\nfailure of kind ${"abcdefghij"[at % 10]}`),
    ],
  ],
  ["failing checks", 2000, (at) => [call("bash", { command: `npm test -- ${at % 40}` }), failure(`${at % 7} failed`)]],
  [
    "states with long keys",
    3000,
    (at) => [{ type: "state", key: `${at % 40}${wide.repeat(9)}`, value: longWords(at) }],
  ],
  [
    "edits",
    3000,
    (at) =>
      step("edit_file", { path: `${at % 90}.ts`, old_string: longWords(at), new_string: longWords(at + 1) }, "done"),
  ],
  ["words", 1000, (at) => [text(longWords(at)), { type: "text", text: wide.repeat(at % 9), partial: true }]],
  ["thoughts that are chanted", 2000, (at) => [{ type: "reasoning", text: `${"na ".repeat(400)}${at % 50}` }]],
  [
    "answers that are chanted",
    2000,
    (at) => [{ type: "text", text: `I will now begin${at % 3}. `.repeat(60), partial: true }],
  ],
  [
    "learned labels of many tools",
    3000,
    (at) =>
      step(
        longName(at % 20),
        { id: at % 20 },
        Array.from({ length: 3 }, (_, of) => `label-${(at >> 3) % 30}-${of}: ${at}`).join("\n"),
      ),
  ],
  [
    "loops on the ladder by long names",
    4000,
    (at) => step(longName(Math.floor(at / 4)), { path: wide }, "the same four times"),
  ],
  [
    "cycles on the ladder by long names",
    6000,
    (at) => step(longName((at % 30) + 30 * Math.floor(at / 90)), { at: at % 30 }, "the same three times"),
  ],
  [
    "rounds of a hundred calls",
    60,
    (at) => [
      round,
      ...Array.from({ length: 100 }, (_, of) => call(longName(of), { of, at: at % 3 }, { id: `${of}${wide}` })),
      ...Array.from({ length: 90 }, (_, of) => result(longWords(of), { id: `${of}${wide}` })),
    ],
  ],
  [
    "times and lengths as large as they get",
    2000,
    (at) => [
      call(longName(at % 130), { at: at % 130 }, { at: Number.MAX_VALUE / 3 + at }),
      result(`${at % 5}`, { at: Number.MAX_VALUE, length: 1.234567890123456e300, digest: `${at}${wide}` }),
    ],
  ],
];

describe("the memory of a guard at rest", () => {
  it.each(runs)("stays below 64 KB after %s", (_, count, events) => {
    expect(largest(createGuard({ ladder: ["nudge"] }), count, events)).toBeLessThanOrEqual(CEILING);
  });

  it.each(runs)("stays below 64 KB late in a very long run of %s", (_, count, events) => {
    // Counters grow with a run's length.
    const young = createGuard();
    step("ls", {}, "a b").forEach((event) => void young.observe(event));
    const snapshot = aged(young);

    const guard = createGuard({ ladder: ["nudge"], snapshot });

    expect(largest(guard, Math.ceil(count / 4), events)).toBeLessThanOrEqual(CEILING);
    expect(guard.stats().checks).toBeGreaterThan(YEARS / 2);
  });

  it("stays below 64 KB after all of it together", () => {
    const guard = createGuard({ ladder: ["nudge"] });
    const bytes = runs
      .filter(([name]) => !name.includes("megabyte"))
      .map(([, count, events]) => largest(guard, Math.min(count, 300), events));

    expect(Math.max(...bytes)).toBeLessThanOrEqual(CEILING);
  });

  it("stays below 64 KB with as many loops allowed as there may be", () => {
    const guard = createGuard();
    for (let at = 0; at < 3000; at++) {
      for (const event of step(longName(Math.floor(at / 3)), { path: wide }, longWords(Math.floor(at / 3)))) {
        const { finding } = guard.observe(event);
        if (finding !== undefined) guard.allow(finding);
      }
    }

    expect(guard.stats().falsePositives).toBeGreaterThan(100);
    expect(bytesOf(guard)).toBeLessThanOrEqual(CEILING);
  });
});

describe("the memory of a guard at work", () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc") as () => void;
  const heap = (): number => {
    // What is only weakly held goes with the second time.
    for (let at = 0; at < 3; at++) collectGarbage();
    return process.memoryUsage().heapUsed;
  };

  it("does not hold on to results", () => {
    const guard = createGuard();
    const lines = Array.from({ length: 1000 }, (_, of) => `${of} `.padEnd(1000, "x")).join("\n");
    const megabyte = (at: number): string => `${at}\n${lines}`;
    for (let at = 0; at < 50; at++)
      step("read_file", { path: `${at}` }, megabyte(at)).forEach((event) => void guard.observe(event));
    const before = heap();
    for (let at = 50; at < 550; at++)
      step("read_file", { path: `${at}` }, megabyte(at)).forEach((event) => void guard.observe(event));

    expect(heap() - before).toBeLessThan(20_000_000);
    expect(guard.stats().faults).toBe(0);
  });

  it("takes little, and no more after a snapshot was read", () => {
    const bytesEach = (make: (at: number) => Guard): { readonly bytes: number; readonly guards: readonly Guard[] } => {
      const all = (): number => heap() + process.memoryUsage().arrayBuffers;
      const before = all();
      const guards = Array.from({ length: 200 }, (_, at) => make(at));
      return { bytes: (all() - before) / guards.length, guards };
    };
    const begin = (run: number): Guard => {
      const guard = createGuard();
      for (let at = 0; at < 50; at++)
        for (const event of step("read_file", { path: `src/${at}.ts` }, `the text of file ${at} in run ${run}`))
          guard.observe(event);
      return guard;
    };
    bytesEach(begin);
    const begun = bytesEach(begin);
    const texts = begun.guards.map((guard) => JSON.stringify(guard.snapshot()));
    const resume = (at: number): Guard => createGuard({ snapshot: JSON.parse(texts[at]!) });
    bytesEach(resume);
    const resumed = bytesEach(resume);

    expect(resumed.guards.every((guard) => guard.stats().faults === 0)).toBe(true);
    expect(begun.bytes).toBeLessThan(70_000);
    expect(resumed.bytes).toBeLessThan(begun.bytes * 1.4);
  });
});
