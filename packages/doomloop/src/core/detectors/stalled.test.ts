import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { call, failure, findingsOf, result, round, step, times, user } from "../../../../../test/builders.ts";
import { detectorContract } from "../../../../../test/contracts/detector.ts";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { refusal } from "../../../../../test/refusal.ts";
import type { AgentEvent } from "../event.ts";
import { type StalledOptions, stalled } from "./stalled.ts";

const WORDINGS = [
  "retry limit of the payment client",
  "payment client retry limit setting",
  "where is the retry limit for payments",
  "maximum retry count payment client",
  "payment retry limit configuration",
  "limit on retry in the payment client code",
  "how often does the payment client retry",
  "retry limit payment",
];
const NAMES = ["fetchUser", "fetch_users", "fetchUserById", "fetchingUser", "fetchAllUsers", "fetchUsersBy"];
const PARTS = ["KX-771", "QP-204", "ZZ-918", "LM-663", "RB-150", "TT-042", "HV-377", "WA-816"];
const PAGE = "The handbook has a chapter on payments.\nThe handbook has a chapter on refunds.";

/** Pages of the same form, which differ in what stands in the middle. */
const pageOf = (...lines: string[]) =>
  ["What every page begins with, word for word and at some length", ...lines, "What every page ends with"].join("\n");

const search = (query: string, says: unknown = "No results found") => step("search", { query }, says);
const searches = (count: number, says?: unknown) => WORDINGS.slice(0, count).flatMap((query) => search(query, says));

const countsOf = (options: StalledOptions, events: readonly AgentEvent[]) =>
  findingsOf(stalled(options), events).map(({ count }) => count);

describe("stalled", () => {
  detectorContract(
    stalled,
    searches(7),
    PARTS.flatMap((query) => search(query)),
  );

  it("fires at the threshold and not before", () => {
    expect(countsOf({ threshold: 5 }, searches(4))).toEqual([]);
    expect(countsOf({ threshold: 5 }, searches(7))).toEqual([5, 6, 7]);
    expect(findingsOf(stalled({ threshold: 5 }), searches(5))).toMatchObject([
      { steps: [0, 1, 2, 3, 4], tools: ["search"], isCertain: false, evidence: { isEmpty: true } },
    ]);
  });

  it.each<[string, unknown]>([
    ["says that there is nothing", "No matches."],
    ["is an empty list", []],
    ["is nothing at all", ""],
    ["is null", "null"],
  ])("counts attempts whose answer %s", (_what, says) => {
    expect(countsOf({}, searches(5, says))).toEqual([5]);
  });

  it("counts searches that end with a failure to say that they found nothing, and no other failures", () => {
    const grep = (name: string, output: AgentEvent) => [call("bash", { command: `grep -rn ${name} src` }), output];

    expect(
      countsOf(
        {},
        NAMES.flatMap((name) => grep(name, failure(""))),
      ),
    ).toEqual([5, 6]);
    expect(
      countsOf(
        {},
        NAMES.flatMap((name) => grep(name, failure("grep: src: no such folder"))),
      ),
    ).toEqual([]);
  });

  it("counts attempts that tell again what was told, the first of them included", () => {
    expect(findingsOf(stalled(), searches(6, PAGE))).toMatchObject([
      { count: 5, steps: [0, 1, 2, 3, 4], evidence: { isEmpty: false } },
      { count: 6 },
    ]);
  });

  it("begins with the first that told what the others told again, not with what was told before it", () => {
    const told = (line: string) => (query: string) => search(query, pageOf(line));

    expect(
      countsOf({ threshold: 5 }, [...told("limits")("x"), ...WORDINGS.slice(0, 4).flatMap(told("refund"))]),
    ).toEqual([]);
    expect(
      countsOf({ threshold: 5 }, [...told("limits")("x"), ...WORDINGS.slice(0, 5).flatMap(told("refund"))]),
    ).toEqual([5]);
  });

  it("counts answers put together anew from what was told, unless they are pages, of which only equal ones count", () => {
    const pages = [
      ["a", "b"],
      ["b", "a"],
      ["a", "a"],
      ["b", "b"],
      ["a", "b"],
      ["b", "a"],
    ].map(([one, other]) => pageOf(`chapter ${one}`, `chapter ${other}`));
    const asked = (tool: string) => pages.flatMap((page, at) => step(tool, { query: WORDINGS[at] }, page));

    expect(countsOf({ threshold: 4 }, asked("search"))).toEqual([4, 5, 6]);
    expect(countsOf({ threshold: 4 }, asked("navigate"))).toEqual([]);
  });

  it("counts guesses at one name", () => {
    expect(
      countsOf(
        {},
        NAMES.flatMap((query) => search(query)),
      ),
    ).toEqual([5, 6]);
  });

  it("counts different questions with one answer to the letter, one more of them", () => {
    const questions = [
      "red moon",
      "a",
      "the price of fish",
      "zlib",
      "who owns the house",
      "42 apples and a pear",
      "queue",
    ];
    const asked = (says: unknown) => questions.flatMap((query) => search(query, says));

    expect(countsOf({ threshold: 5 }, asked(PAGE))).toEqual([6, 7]);
    expect(countsOf({ threshold: 5 }, asked("No results found"))).toEqual([]);
  });

  it.each<[string, AgentEvent[]]>([
    ["an attempt that found something", search("payment limits", "3 results: the retry limit is 5")],
    ["something learned elsewhere", step("read_file", { path: "a.ts" }, "export const limit = 5;")],
    ["a new change of the world", step("edit", { path: "a.ts", text: "x" }, "edited")],
    ["a failure that says something", [call("search", { query: "x" }), failure("the index is being built")]],
    ["a word of the user", [user("go on")]],
  ])("begins anew after %s", (_what, events) => {
    const attempts = (from: number, to: number) => WORDINGS.slice(from, to).flatMap((query) => search(query));

    expect(countsOf({ threshold: 4 }, [...attempts(0, 3), ...events, ...attempts(3, 6)])).toEqual([]);
    expect(countsOf({ threshold: 4 }, [...attempts(0, 3), ...events, ...attempts(3, 7)])).toEqual([4]);
  });

  it("goes on over looks in between that bring nothing new", () => {
    const ls = step("ls", { path: "." }, "a.ts b.ts");
    const events = [...ls, ...WORDINGS.slice(0, 5).flatMap((query) => [...search(query), ...ls])];

    expect(countsOf({ threshold: 5 }, events)).toEqual([5]);
  });

  it.each<[string, AgentEvent[]]>([
    ["a list that is worked through item by item", PARTS.flatMap((query) => search(query))],
    ["short answers, which are the same because they are short", searches(8, "yes")],
    [
      "attempts that find something else each time",
      WORDINGS.flatMap((query, at) => search(query, `found in ${"abcdefgh"[at]}.ts: limit`)),
    ],
    ["the silence of calls that act", WORDINGS.flatMap((text) => step("send_message", { text }, ""))],
    [
      "a file that is read in parts",
      [1, 2, 3, 4, 5, 6].flatMap((offset) => step("read_file", { path: "a.ts", offset }, PAGE)),
    ],
    ["equal calls, which others count", times(8, search(WORDINGS[0]!))],
    ["two questions in turn", times(4, [...search(WORDINGS[0]!), ...search(WORDINGS[1]!)])],
  ])("leaves %s alone", (_what, events) => {
    expect(countsOf({ threshold: 3 }, events)).toEqual([]);
  });

  it("takes the attempts of one round for one", () => {
    const batch = (from: number) => {
      const some = WORDINGS.slice(from, from + 4);
      return [round, ...some.map((query) => call("search", { query })), ...some.map(() => result("No results found"))];
    };

    expect(countsOf({ threshold: 3 }, [...batch(0), ...batch(4)])).toEqual([]);
    expect(countsOf({ threshold: 3 }, [...batch(0), ...batch(4), round, ...search("payment retry")]).at(-1)).toBe(3);
  });

  it("gives the attempts with one tool one identity in every run, and with another tool another", () => {
    const loopOf = (tool: string, from: number) =>
      findingsOf(
        stalled({ threshold: 3 }),
        WORDINGS.slice(from).flatMap((query) => step(tool, { query }, "No results found")),
      ).at(-1)?.loop;

    expect(loopOf("search", 3)).toBe(loopOf("search", 0));
    expect(loopOf("find", 0)).not.toBe(loopOf("search", 0));
  });

  it("fires exactly if one thing was asked for in vain as often as the threshold says, in whatever order", () => {
    const order = fc.shuffledSubarray([...WORDINGS.keys()], { minLength: 3 });
    const property = fc.property(fc.integer({ min: 3, max: 8 }), order, (threshold, places) => {
      const events = places.flatMap((place) => search(WORDINGS[place]!));

      expect(countsOf({ threshold }, events)).toHaveLength(Math.max(0, places.length - threshold + 1));
    });
    fc.assert(property, { numRuns: Math.ceil(propertyRuns() / 10) });
  });

  it("never counts items of a list, whatever their numbers", () => {
    const numbers = fc.uniqueArray(fc.integer({ min: 100, max: 99_999 }), { minLength: 3, maxLength: 12 });
    const property = fc.property(numbers, (list) => {
      expect(
        countsOf(
          { threshold: 3 },
          list.flatMap((number) => search(`part no ${number}`)),
        ),
      ).toEqual([]);
    });
    fc.assert(property, { numRuns: Math.ceil(propertyRuns() / 10) });
  });

  it.each([
    [{ threshold: 2 }, "stalled: threshold: … is required, got 2"],
    [{ threshold: 21 }, "stalled: threshold: … is required, got 21"],
    [{ threshold: 4.5 }, "stalled: threshold: … is required, got 4.5"],
  ])("refuses %j", (options, message) => {
    expect(() => stalled(options)).toThrow(refusal(message));
  });
});
