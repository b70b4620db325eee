import type { AgentEvent, Guard } from "doomloop";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  actionsOf,
  call,
  createGuard,
  decisionsOf,
  failure,
  type GuardConfig,
  result,
  step,
  text,
  times,
  user,
} from "../../../../test/builders.ts";
import { propertyRuns } from "../../../../test/property-runs.ts";
import { platform } from "../platform.ts";
import { primaryIdentity } from "./count-judge.ts";

const [a, b, c] = ["a", "b", "c"].map((name) => call(`tool_${name}`, { name })) as [AgentEvent, AgentEvent, AgentEvent];
const read = step("read_file", { path: "a.ts" }, "contents");
const list = step("list_files", {}, "a.ts");

const placesOf = (events: readonly AgentEvent[], options: GuardConfig) =>
  decisionsOf(events, options).map(({ at }) => at);
const actionsFrom = (guard: Guard, events: readonly AgentEvent[]) => events.map((event) => guard.observe(event).action);

describe("counting calls", () => {
  it("counts in the window what a list of the latest calls counts", () => {
    const runs = fc.array(fc.constantFrom(a, b, c), { maxLength: 40 });
    const property = fc.property(runs, fc.integer({ min: 3, max: 8 }), (run, within) => {
      const slowly = run.flatMap((event, at) => {
        const window = run.slice(Math.max(0, at + 1 - within), at + 1);
        return window.filter((each) => each === event).length >= 3 ? [at] : [];
      });

      expect(placesOf(run, { counts: { repeats: 3, within }, ladder: ["nudge"] })).toEqual(slowly);
    });
    fc.assert(property, { numRuns: Math.min(propertyRuns(), 300) });
  });

  it("goes by what a tool's rule says makes two calls the same, and how often it may be called", () => {
    const pages = [1, 2, 3, 4].map((at) => call("fetch", { url: "x", at }));
    const counts = { repeats: 3 };

    expect(placesOf(pages, { counts })).toEqual([]);
    expect(placesOf(pages, { counts, rules: { fetch: { identity: ["url"] } } })).toEqual([2, 3]);
    expect(placesOf(pages, { counts, rules: { fetch: { identity: ["url"], threshold: 4 } } })).toEqual([3]);
  });

  it("does not count again what a host sends twice under one id", () => {
    const same = call("read_file", { path: "a" }, { id: "1" });

    expect(placesOf([same, same, same], { counts: { repeats: 2 } })).toEqual([]);
  });

  it("forgets the calls when the host measures progress", () => {
    const state = (value: number): AgentEvent => ({ type: "state", key: "tests", value });

    expect(placesOf([state(1), a, a, state(2), a, a], { counts: { repeats: 3 } })).toEqual([]);
  });

  it("leaves words inside one answer alone", () => {
    const words = text("The same words again and again, without an end. ".repeat(200));

    expect(actionsOf([words, words], { counts: { repeats: 2 } })).toEqual([]);
  });
});

describe("counting with results", () => {
  const counts = { repeats: 3, outcomes: "compare" } as const;

  it("counts a call when its result is there", () => {
    expect(decisionsOf(times(3, read), { counts, ladder: ["nudge"] })).toMatchObject([
      { at: 5, finding: { count: 3, steps: [0, 1, 2], weight: 3, evidence: { outcome: "exact" } } },
    ]);
  });

  it("takes results that cannot be compared for different ones, as evidence does", () => {
    const pages = Array.from({ length: 12 }, () => step("fetch_page", { id: 1 }, new Response("page"))).flat();

    for (const own of [{ counts }, {}]) {
      const guard = createGuard({ ...own, onFault: () => undefined });
      expect(new Set(actionsFrom(guard, pages))).toEqual(new Set(["continue"]));
    }
  });

  it("refuses the call that comes next, until another one has run", () => {
    const guard = createGuard({ counts, ladder: ["block"] });
    const refused = () => guard.observe(read[0]!).action;

    expect(actionsFrom(guard, times(3, read)).at(-1)).toBe("nudge");
    expect([refused(), refused()]).toEqual(["block", "block"]);
    expect(actionsFrom(guard, [...list, ...read])).toEqual(["continue", "continue", "continue", "nudge"]);
  });

  it("refuses no call after the user has spoken", () => {
    const guard = createGuard({ counts, ladder: ["block"] });
    actionsFrom(guard, [...times(3, read), user("read it again")]);

    expect(guard.observe(read[0]!).action).toBe("continue");
  });
});

describe("climbing the ladder", () => {
  it("tells after three words that were not heard that a host may escalate", () => {
    const [, , , fourth] = decisionsOf(times(5, [a]), { counts: { repeats: 2 }, ladder: ["nudge"] });

    expect(fourth).toMatchObject({ action: "nudge", escalate: 3 });
  });

  it("begins at the first rung if a loop is seen before the first count", () => {
    const counts = { answersWithoutCalls: 2, escalates: [4, 6] };

    expect(actionsOf(times(6, [text("Done.")]), { counts, ladder: ["nudge", "stop"] })).toEqual([
      "nudge",
      "nudge",
      "nudge",
      "nudge",
      "stop",
    ]);
  });
});

describe("counting and the rest of the guard", () => {
  const options: GuardConfig = { counts: { repeats: 3, cycles: {} }, ladder: ["nudge", "nudge", "stop"] };

  it("goes on from a snapshot as if nothing had happened", () => {
    const events = fc.array(
      fc.constantFrom(a, b, c, ...read, failure("exit code 1"), text("So far."), user("go on"), result("x")),
      { maxLength: 40 },
    );
    const counts = { repeats: 3, similar: 3, cycles: {}, failingCommands: 2, answersWithoutCalls: 2 };
    const property = fc.property(events, fc.nat(40), fc.constantFrom("ignore", "compare"), (run, cut, outcomes) => {
      const own: GuardConfig = { counts: { ...counts, outcomes }, onFault: () => undefined };
      const whole = createGuard(own);
      const first = createGuard(own);
      const expected = run.map((event) => whole.observe(event));
      const before = run.slice(0, cut).map((event) => first.observe(event));
      const second = createGuard({ ...own, snapshot: JSON.parse(JSON.stringify(first.snapshot())) });

      expect([...before, ...run.slice(cut).map((event) => second.observe(event))]).toEqual(expected);
      expect(second.stats()).toEqual(whole.stats());
    });
    fc.assert(property, { numRuns: Math.min(propertyRuns(), 300) });
  });

  it("goes on with another judge where the host gives its rules up, and the other way round", () => {
    for (const [before, after] of [
      [options, {}],
      [{}, options],
    ]) {
      const first = createGuard(before);
      actionsFrom(first, times(2, read));
      const faults: unknown[] = [];
      const onFault = (fault: unknown) => void faults.push(fault);
      const guard = createGuard({ ...after, onFault, snapshot: JSON.parse(JSON.stringify(first.snapshot())) });

      expect(actionsFrom(guard, times(3, read))).toContain("nudge");
      expect(faults).toEqual([]);
    }
  });

  it("keeps its memory bounded", () => {
    const guard = createGuard({ counts: { repeats: 3, within: 100, similar: 3, cycles: { longest: 50 } } });
    for (let at = 0; at < 2_000; at++)
      for (const event of step("look", { at, path: `${at}` }, "x")) guard.observe(event);

    expect(JSON.stringify(guard.snapshot()).length).toBeLessThan(65_536);
  });

  it("says nothing more about a loop that was allowed, nor about the calls in it", () => {
    const guard = createGuard(options);
    const found = [a, b, a, b].map((event) => guard.observe(event)).at(-1)?.finding;
    expect(found?.kind).toBe("call-cycle");
    guard.allow(found!);

    expect(actionsFrom(guard, [a, b, a, b, a, a])).toEqual(Array(6).fill("continue"));
    expect(actionsFrom(guard, [c, c, c])).toEqual(["continue", "continue", "nudge"]);
  });

  it("goes on after a stop if its loop is allowed", () => {
    const guard = createGuard({ ...options, ladder: ["stop"] });
    const stop = [a, a, a].map((event) => guard.observe(event)).at(-1);
    expect([stop?.action, guard.observe(b).action]).toEqual(["stop", "stop"]);
    guard.allow(stop!.finding!);

    expect(actionsFrom(guard, [a, c])).toEqual(["continue", "continue"]);
  });

  it("climbs the ladder again if the agent has heard nothing", () => {
    const guard = createGuard({ counts: { repeats: 2 }, ladder: ["nudge", "block"] });
    actionsFrom(guard, [a, a, a]);

    expect(actionsFrom(guard, [{ ...a, unheard: true }, a])).toEqual(["nudge", "block"]);
  });
});

const identityOf = (tool: string, args: unknown) => primaryIdentity({ type: "call", tool, args }, platform);
const ofCommand = (command: string) => identityOf("bash", { command });

describe("primaryIdentity", () => {
  it.each(["cat a.ts | head", "cat a.ts > b.ts", "cat a.ts; ls", "cd src && cat a.ts"])(
    "takes %s as a whole",
    (line) => {
      expect(ofCommand(line)).not.toBe(ofCommand("cat a.ts"));
      expect(ofCommand(line)).toBe(ofCommand(line));
    },
  );

  it.each<[string, unknown]>([
    ["no primary argument", { id: 7 }],
    ["no fields", "text"],
    ["nothing", undefined],
    ["a value that cannot be compared", { path: Promise.resolve("a") }],
    ["a proxy", new Proxy({ path: "a" }, {})],
  ])("is undefined for %s", (_what, args) => {
    expect(identityOf("look", args)).toBeUndefined();
  });
});
