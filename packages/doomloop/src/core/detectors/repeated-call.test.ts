import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { call, failure, findingsOf, result, round, step, text, times, user } from "../../../../../test/builders.ts";
import { detectorContract } from "../../../../../test/contracts/detector.ts";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { refusal } from "../../../../../test/refusal.ts";
import type { AgentEvent } from "../event.ts";
import type { ProgressOptions } from "../progress/progress-options.ts";
import { type RepeatedCallOptions, repeatedCall } from "./repeated-call.ts";

const read = step("read_file", { path: "src/main.ts" }, "export const answer = 42;");
const other = (name: string) => step("read_file", { path: name }, `the contents of ${name}`);
const edit = (words: string) => step("edit", { path: "src/main.ts", content: words }, "edited");
const missing = [call("read_file", { path: "gone.ts" }), failure("no such file")];

const countsOf = (options: RepeatedCallOptions, events: Parameters<typeof findingsOf>[1], progress?: ProgressOptions) =>
  findingsOf(repeatedCall(options), events, progress && { progress }).map(({ count }) => count);

describe("repeatedCall", () => {
  detectorContract(repeatedCall, times(4, read), [...read, ...edit("one"), ...read, ...edit("two"), ...read]);

  it("fires at the threshold and at every repeat after it, not before", () => {
    expect(countsOf({ threshold: 3 }, times(2, read))).toEqual([]);
    expect(countsOf({ threshold: 3 }, times(5, read))).toEqual([3, 4, 5]);
  });

  it("names the calls, the tool and how alike the outcomes were", () => {
    expect(findingsOf(repeatedCall({ threshold: 3 }), times(3, read))).toMatchObject([
      { steps: [0, 1, 2], tools: ["read_file"], evidence: { outcome: "exact", isFuzzy: false, isFailing: false } },
    ]);
  });

  it("says that a call which says or writes something has done so each time", () => {
    const mail = step("send_email", { to: "a@example.com", body: "The report is done." }, "sent");
    const doneOf = (events: readonly AgentEvent[]) =>
      findingsOf(repeatedCall({ threshold: 3 }), times(3, events))[0]?.evidence.isDone;

    expect([mail, read, missing].map(doneOf)).toEqual([true, undefined, undefined]);
  });

  it.each<[string, string, readonly AgentEvent[]]>([
    ["changed-world", "something was changed before", edit("else")],
    ["user-spoke", "the user spoke before", [user("go on")]],
    ["compaction", "the conversation was compacted before", [{ type: "compaction" }]],
    ["news-in-lap", "something was learned before", other("src/other.ts")],
  ])("names an occurrence that did not count, with %s, because %s it", (reason, _what, events) => {
    const [finding] = findingsOf(repeatedCall({ threshold: 3 }), [...times(2, read), ...events, ...times(3, read)]);
    const first = 2 + events.filter(({ type }) => type === "call").length;

    expect(finding?.evidence.uncounted).toEqual([{ step: first, reason }]);
  });

  it("names the latest four that did not count, and nothing if all count", () => {
    const again = [1, 2, 3, 4, 5].flatMap((at) => [...edit(`${at}`), ...read]);
    const uncountedOf = (events: readonly AgentEvent[]) =>
      findingsOf(repeatedCall({ threshold: 3 }), events)[0]?.evidence.uncounted.map(({ step: at }) => at);

    expect(uncountedOf(times(3, read))).toEqual([]);
    expect(uncountedOf([...read, ...again, ...times(2, read)])).toEqual([4, 6, 8, 10]);
  });

  it("names those of calls that are equal in substance, where it reports such", () => {
    const spelled = ["src/main.ts", "./src/main.ts", "src//main.ts"].flatMap((path) =>
      step("read_file", { path }, "export const answer = 42;"),
    );
    const [finding] = findingsOf(repeatedCall({ fuzzyThreshold: 3 }), [...read, ...edit("else"), ...spelled]);

    expect(finding).toMatchObject({ evidence: { isFuzzy: true, uncounted: [{ step: 2, reason: "changed-world" }] } });
  });

  it("counts a failing call and says that it fails", () => {
    expect(findingsOf(repeatedCall({ threshold: 3 }), times(3, missing))).toMatchObject([
      { evidence: { isFailing: true, isBusy: false } },
    ]);
  });

  it("counts on from the latest occurrences only, eight of them at most", () => {
    expect(findingsOf(repeatedCall(), times(12, read)).at(-1)?.steps).toEqual([4, 5, 6, 7, 8, 9, 10, 11]);
  });

  it("names the calls in their order, although the result of the first comes last", () => {
    const listing = (id: string) => [round, call("list_files", {}, { id }), result("a b c", { id })];
    const events = [...listing("late").slice(0, 2), ...listing("1"), ...listing("2"), result("a b c", { id: "late" })];

    expect(findingsOf(repeatedCall({ threshold: 3 }), events)).toMatchObject([{ steps: [0, 1, 2] }]);
  });

  it.each([
    ["a new change of the world", edit("else")],
    ["a word of the user", [user("go on")]],
  ])("starts again after %s", (_what, events) => {
    expect(countsOf({ threshold: 3 }, [...times(2, read), ...events, ...times(2, read)])).toEqual([]);
    expect(countsOf({ threshold: 3 }, [...times(2, read), ...events, ...times(3, read)])).toEqual([3]);
  });

  it("does not count a repeat with a new outcome, but one with an old outcome, once nothing new comes any more", () => {
    const says = (name: string) =>
      `${name}: a line of the log that is long enough to be no reading, vote or throw of dice`;
    const lines = ["one", "two", "three", "two", "two", "two"].map((name) =>
      step("read_file", { path: "log" }, says(name)),
    );

    expect(countsOf({ threshold: 2 }, lines.slice(0, 4).flat())).toEqual([]);
    expect(countsOf({ threshold: 2 }, lines.flat())).toEqual([2, 3]);
  });

  it("leaves several answers of a few characters alone, which are throws, votes or readings, until one of them stays", () => {
    const roll = (face: number) => step("get_number", { of: "dice" }, `it is ${face}`);

    expect(countsOf({ threshold: 3 }, times(8, [6, 2].flatMap(roll)))).toEqual([]);
    expect(countsOf({ threshold: 3 }, [6, 2, ...Array.from({ length: 30 }, () => 6)].flatMap(roll))).not.toEqual([]);
  });

  it.each([
    ["an edit that was made before", [...edit("same"), ...times(2, [...read, ...edit("same")]), ...read]],
    ["a failing edit", times(3, [...read, call("edit", { path: "x" }), failure("no match")])],
    ["one other look", [...read, ...other("a.ts"), ...times(3, read)]],
  ])("is not appeased by %s", (_what, events) => {
    const findings = findingsOf(repeatedCall({ threshold: 3 }), events);

    expect(findings.filter(({ tools }) => tools[0] === "read_file")).toMatchObject([{ count: 3 }]);
  });

  it("takes looks between which the run learns something each time for work, unless told otherwise", () => {
    const finds = ["apples", "pears", "plums", "figs", "dates"];
    const events = finds.flatMap((find, at) => [...read, ...step("read_file", { path: `${at}.ts` }, `holds ${find}`)]);

    expect(countsOf({ threshold: 3 }, events)).toEqual([]);
    expect(countsOf({ threshold: 3 }, events, { news: false })).toEqual([3, 4, 5]);
  });

  it("takes looks that come together with something new each time for work", () => {
    const both = (find: string, at: number) => [
      round,
      ...[read[0]!, call("read_file", { path: `${at}.ts` })],
      ...[read[1]!, result(`holds ${find}`)],
    ];

    expect(countsOf({ threshold: 3 }, ["apples", "pears", "plums", "figs", "dates"].flatMap(both))).toEqual([]);
    expect(countsOf({ threshold: 3 }, ["figs", "figs", "figs", "figs", "figs"].flatMap(both))).not.toEqual([]);
  });

  it("does not take a failure for another because something was learned once in between", () => {
    expect(countsOf({ threshold: 3 }, [...missing, ...other("a.ts"), ...times(2, missing)])).toEqual([3]);
  });

  it("takes equal calls of one round for one", () => {
    const batch = [round, ...times(3, [call("list_files")]), ...times(3, [result("a b c")])];

    expect(countsOf({ threshold: 3 }, times(2, batch))).toEqual([]);
    expect(countsOf({ threshold: 3 }, times(3, batch))).toEqual([3]);
  });

  it("does not count a call that waits until its patience is used up", () => {
    const wait = step("wait", { seconds: 60 }, `Waited for a minute. ${"Nothing has come of it so far. ".repeat(3)}`);

    expect(countsOf({ threshold: 3 }, times(18, wait), { patienceMs: 600_000 })).toEqual([]);
    expect(
      findingsOf(repeatedCall({ threshold: 3 }), times(20, wait), { progress: { patienceMs: 600_000 } }),
    ).toMatchObject([{ count: 3, evidence: { isWaiting: true } }, { count: 4 }]);
    expect(countsOf({ threshold: 3 }, times(30, wait), { patienceMs: 1_800_000 })).toEqual([]);
    expect(countsOf({ threshold: 3 }, times(4, wait), { patienceMs: 0 })).toEqual([3, 4]);
  });

  it.each<[string, AgentEvent[], number]>([
    ["a value that others may change", step("get_temperature", {}, "the fridge has 4 degrees"), 2],
    ["a program that says nothing", step("bash", { command: "./configure" }, ""), 4],
    ["a click", step("click", { ref: "e5" }, "ok"), 7],
    ["a test run, however much it says", step("bash", { command: "npm test" }, "8 passed. ".repeat(12)), 17],
  ])("passes over %s before it counts, unless told otherwise", (_what, events, forgiven) => {
    expect(countsOf({ threshold: 3 }, times(forgiven + 2, events))).toEqual([]);
    expect(countsOf({ threshold: 3 }, times(forgiven + 3, events))).toEqual([3]);
    expect(countsOf({ threshold: 3 }, times(3, events), { forgives: false })).toEqual([3]);
  });

  it("takes outcomes that differ in a time only for the same, at the loose threshold", () => {
    const timed = (at: number) => step("read_file", { path: "log" }, `done at 2024-05-01T10:00:0${at}Z, all is well`);
    const events = [0, 1, 2, 3, 4].flatMap(timed);

    expect(findingsOf(repeatedCall({ threshold: 3, looseThreshold: 4 }), events)).toMatchObject([
      { count: 4, evidence: { outcome: "masked" } },
      { count: 5 },
    ]);
  });

  it("needs more where the call moves along and the outcomes are only similar", () => {
    const lines = Array.from({ length: 30 }, (_, at) => `row ${"abcdefghij"[at % 10]}${"klm"[at % 3]} of the list`);
    const page = (at: number) => lines.map((line, row) => (row === at + 10 ? `${line} focused` : line)).join("\n");
    const pages = (tool: string) => [0, 1, 2, 3].flatMap((at) => step(tool, { key: "Tab" }, page(at)));

    expect(findingsOf(repeatedCall(), pages("click"))).toMatchObject([{ count: 3 }, { count: 4 }]);
    expect(findingsOf(repeatedCall(), pages("press"))).toMatchObject([{ count: 4, evidence: { outcome: "similar" } }]);
    expect(countsOf({ movingThreshold: 5 }, pages("press"))).toEqual([]);
  });

  it("takes a command that writes for the same whatever numbers it prints, and one that looks not", () => {
    const METER = "  % Total    % Received % Xferd  Average Speed   Time    Time     Time  Current\n";
    const meter = (command: string) =>
      [40740, 46577, 51336].flatMap((speed) =>
        step("bash", { command }, `${METER}100  1256  100  1256    0  ${speed}  done`),
      );

    expect(countsOf({}, meter("curl -o a.txt http://example.org/a.txt"))).toEqual([3]);
    expect(countsOf({}, meter("cat /proc/net/dev"))).toEqual([]);
  });

  it("takes different spellings of one look for the same, at the fuzzy threshold", () => {
    const looks = ["cat src/a.ts", "head src/a.ts", "cat ./src/a.ts", "head -n 50 src/a.ts"];
    const events = looks.flatMap((command) => step("bash", { command }, "export const a = 1;"));

    expect(findingsOf(repeatedCall({ fuzzyThreshold: 4 }), events)).toMatchObject([
      { count: 4, evidence: { isFuzzy: true } },
    ]);
    expect(findingsOf(repeatedCall({ fuzzyThreshold: false }), events)).toEqual([]);
  });

  it("does not take equal calls for calls that are equal in substance only", () => {
    expect(countsOf({ threshold: 6, fuzzyThreshold: 4 }, times(5, read))).toEqual([]);
    expect(findingsOf(repeatedCall({ threshold: 6, fuzzyThreshold: 4 }), times(6, read))).toMatchObject([
      { count: 6, evidence: { isFuzzy: false } },
    ]);
  });

  it("judges calls alone in a run that shows no results, from the eighth call on", () => {
    const blind = [1, 2, 3, 4].map((page) => call("get_page", { page }));

    expect(findingsOf(repeatedCall({ blindThreshold: 4 }), times(6, [call("ls")]))).toEqual([]);
    expect(findingsOf(repeatedCall({ blindThreshold: 4 }), [...blind, ...times(4, [call("ls")])])).toMatchObject([
      { count: 4, evidence: { outcome: "blind" } },
    ]);
  });

  it("needs twice as many of a call that moves along, where nobody sees what it shows", () => {
    const scrolls = (count: number) => [
      ...[1, 2, 3].map((page) => call("get_page", { page })),
      ...times(count, [call("scroll")]),
    ];

    expect(findingsOf(repeatedCall({ blindThreshold: 4 }), scrolls(7))).toEqual([]);
    expect(findingsOf(repeatedCall({ blindThreshold: 4 }), scrolls(8))).toMatchObject([{ count: 8 }]);
  });

  it("counts only calls that follow each other directly if asked to", () => {
    const alternating = times(4, [...read, ...other("a.ts")]);

    expect(countsOf({ threshold: 3, consecutive: true }, alternating)).toEqual([]);
    expect(countsOf({ threshold: 3, consecutive: true }, [...alternating, ...times(3, read)])).toEqual([3]);
  });

  it("counts those of one round once, where they follow each other", () => {
    const events = [round, ...times(3, read), round, ...read];

    expect(countsOf({ threshold: 3, consecutive: true }, events)).toEqual([]);
    expect(countsOf({ threshold: 3, consecutive: true }, [...events, round, ...read])).toEqual([3]);
  });

  it("counts them where outcomes are ignored, whatever they are", () => {
    const looks = [1, 2, 3, 4].flatMap((at) => step("get_log", { of: "web" }, `line ${at}`));

    expect(countsOf({ threshold: 3, blindThreshold: 3, consecutive: true }, looks, { outcomes: "ignore" })).toEqual([
      3, 4,
    ]);
  });

  it("counts only within the window if there is one", () => {
    const alternating = times(5, [...read, ...other("a.ts")]);
    const limits = { threshold: 3, looseThreshold: 3, fuzzyThreshold: 3, blindThreshold: 3 };

    expect(countsOf({ ...limits, window: 4 }, alternating)).toEqual([]);
    expect(countsOf({ ...limits, window: 5 }, alternating)).toEqual([3, 3, 3, 3]);
  });

  it("is stricter later in a long run if asked to", () => {
    const options = { threshold: 5, fuzzyThreshold: 9, later: { afterCalls: 10, threshold: 3 } };
    const early = Array.from({ length: 7 }, (_, at) => other(`${at}.ts`)).flat();

    expect(countsOf(options, times(4, read))).toEqual([]);
    expect(countsOf(options, [...early, ...times(3, read)])).toEqual([]);
    expect(countsOf(options, [...early, ...times(4, read)])).toEqual([4]);
  });

  it("goes by the threshold of the tool's rule where there is one", () => {
    const tools = { read_file: { threshold: 5 } };

    expect(findingsOf(repeatedCall({ threshold: 3 }), times(4, read), { tools })).toEqual([]);
    expect(findingsOf(repeatedCall({ threshold: 3 }), times(5, read), { tools })).toHaveLength(1);
  });

  const SHORT = "a short answer";
  const LONG = `${SHORT}, and so much more of it ${"that nobody can take it for the answer to anything else ".repeat(4)}`;
  const timed = (at: number) => [call("get_order", {}, { at }), result(SHORT, { at: at + 1 })];
  const isCertain = (events: Parameters<typeof findingsOf>[1], options: RepeatedCallOptions = {}) =>
    findingsOf(repeatedCall(options), events).at(-1)?.isCertain;

  it.each([
    ["a failure", times(3, missing)],
    [
      "a failure with another time in it each time",
      [1, 2, 3].flatMap((at) => [missing[0]!, failure(`no such file: 10:00:0${at}`)]),
    ],
    ["an answer that says much", times(3, step("get_order", {}, LONG))],
    ["a command that looks", times(3, step("bash", { command: "git status" }, SHORT))],
    ["a file", times(3, read)],
  ])("is certain of %s", (_what, events) => {
    expect(isCertain(events)).toBe(true);
  });

  it.each([
    ["a short answer of what others may change", times(40, step("get_order", {}, SHORT))],
    ["the same where the host has a clock", Array.from({ length: 20 }, (_, at) => timed(at * 1000)).flat()],
    ["a failure that others may mend", times(20, [call("get_order"), failure("no such order")])],
    ["an answer with another time in it each time", [1, 2, 3].flatMap((at) => step("x", {}, `${LONG} 10:00:0${at}`))],
    ["the silence of a call that acts", times(20, step("restart", { of: "a" }, ""))],
    ["a word to somebody", times(20, step("send", { to: "a" }, LONG))],
    ["a failure with something new before it", [...times(2, missing), ...other("a.ts"), ...missing]],
    [
      "calls that are the same in substance only",
      ["cat a", "cat ./a"].flatMap((command) => step("bash", { command }, LONG)),
    ],
  ])("is not certain of %s", (_what, events) => {
    expect(isCertain(events, { threshold: 2, fuzzyThreshold: 2 })).toBe(false);
  });

  it("gives one loop one identity in every run, and another loop another", () => {
    const loopOf = (events: Parameters<typeof findingsOf>[1]) => findingsOf(repeatedCall(), events).at(-1)?.loop;

    expect(loopOf([text("hello"), ...other("b.ts"), ...times(5, read)])).toBe(loopOf(times(3, read)));
    expect(loopOf(times(3, other("b.ts")))).not.toBe(loopOf(times(3, read)));
  });

  it("fires exactly if a call was repeated as often as the threshold says, whatever it is", () => {
    const property = fc.property(
      fc.integer({ min: 2, max: 8 }),
      fc.integer({ min: 1, max: 10 }),
      fc.jsonValue({ maxDepth: 1 }),
      (threshold, count, value) => {
        const events = times(count, step("read_file", { value }, "the same as ever"));

        expect(countsOf({ threshold, looseThreshold: 8 }, events)).toHaveLength(Math.max(0, count - threshold + 1));
      },
    );
    fc.assert(property, { numRuns: Math.ceil(propertyRuns() / 4) });
  });

  it.each([
    [{ threshold: 1 }, "repeated-call: threshold: … is required, got 1"],
    [{ threshold: 2.5 }, "repeated-call: threshold: … is required, got 2.5"],
    [{ looseThreshold: 0 }, "repeated-call: looseThreshold: … is required, got 0"],
    [{ fuzzyThreshold: -3 }, "repeated-call: fuzzyThreshold: … is required, got -3"],
    [{ blindThreshold: Number.NaN }, "repeated-call: blindThreshold: … is required, got NaN"],
    [{ window: 3 }, "repeated-call: a window of at least 4, its threshold, is required, got 3"],
    [{ window: 20, threshold: 9 }, "repeated-call: with a window, a threshold of at most 8 is required, got 9"],
    [{ later: { afterCalls: 0, threshold: 3 } }, "repeated-call: later.afterCalls: … is required, got 0"],
    [{ later: { afterCalls: 9, threshold: 1 } }, "repeated-call: later.threshold: … is required, got 1"],
    [
      { window: 6, later: { afterCalls: 9, threshold: 7 } },
      "repeated-call: a window of at least 7, its threshold, is required, got 6",
    ],
  ])("refuses %j", (options, message) => {
    expect(() => repeatedCall(options)).toThrow(refusal(message));
  });

  it("takes a threshold of eight with a window", () => {
    expect(() => repeatedCall({ window: 20, threshold: 8 })).not.toThrow();
  });
});
