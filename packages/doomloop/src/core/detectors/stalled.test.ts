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

  it("counts answers that combine what was told before; of pages, only equal ones", () => {
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

  it("counts different questions with exactly one answer, at one more of them", () => {
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
  ])("starts again after %s", (_what, events) => {
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
    ["the silence of calls that act", WORDINGS.flatMap((text) => step("submit_form", { text }, ""))],
    ["what acts say of being done", WORDINGS.flatMap((text) => step("submit_form", { text }, "Submitted the form"))],
    ["the silence of programs that nobody knows", WORDINGS.flatMap((of) => step("bash", { command: `./x ${of}` }, ""))],
    ["the silence of code", WORDINGS.flatMap((of) => step("python", { code: `look_for("${of}")` }, ""))],
    [
      "a file that is read in parts",
      [1, 2, 3, 4, 5, 6].flatMap((offset) => step("read_file", { path: "a.ts", offset }, PAGE)),
    ],
    ["equal calls, which others count", times(8, search(WORDINGS[0]!))],
    ["two questions in turn", times(4, [...search(WORDINGS[0]!), ...search(WORDINGS[1]!)])],
  ])("leaves %s alone", (_what, events) => {
    expect(countsOf({ threshold: 3 }, events)).toEqual([]);
  });

  describe("at answers that show only what was there before", () => {
    const HITS = ["open", "close", "read", "write", "seek", "flush"].map(
      (name) => `src/${name}.ts: function ${name}()`,
    );
    const ENDS = ["", " | head -4", " | sort", " --bail", " | tail -n 4 | sort"];
    /** Some of the hits, others each time. */
    const some = (at: number) => [...HITS.slice(at % 6), ...HITS.slice(0, at % 6)].slice(0, 4).join("\n");
    const asked = (count: number, tool = "search", says = some) =>
      WORDINGS.slice(0, count).flatMap((query, at) => step(tool, { query }, says(at)));
    const all = search("everything", HITS.join("\n"));

    it("counts questions in other words, with the one that brought it all", () => {
      expect(countsOf({ threshold: 5 }, [...all, ...asked(3)])).toEqual([]);
      expect(findingsOf(stalled({ threshold: 5 }), [...all, ...asked(5)])).toMatchObject([
        { count: 5, steps: [0, 1, 2, 3, 4], tools: ["search"], isCertain: false, evidence: { isEmpty: false } },
        { count: 6 },
      ]);
    });

    it("counts reads of one file in parts that were read, and not those of others", () => {
      const part = (path: string) => (offset: number) => step("read_file", { path, offset }, some(offset));
      const whole = step("read_file", { path: "a.ts" }, HITS.join("\n"));
      const parts = [1, 2, 3, 4];

      expect(countsOf({ threshold: 5 }, [...whole, ...parts.flatMap(part("a.ts"))])).toEqual([5]);
      expect(countsOf({ threshold: 5 }, [...whole, ...parts.flatMap((at) => part(`${at}.ts`)(at))])).toEqual([]);
    });

    it("counts commands that are alike, and no others", () => {
      const shell = (commands: readonly string[]) =>
        commands.flatMap((command, at) => step("bash", { command }, at === 0 ? HITS.join("\n") : some(at)));
      const alike = ENDS.map((end) => `grep -rn function src${end}`);
      const others = ["grep -rn function src", "cat all.txt", "ls -R", "git ls-files | xargs head", "tree lib"];

      expect(countsOf({ threshold: 5 }, shell(alike))).toEqual([5]);
      expect(countsOf({ threshold: 5 }, shell(others))).toEqual([]);
    });

    it.each<[string, AgentEvent[]]>([
      ["something new in most of the answer", search("x", `one more thing\ntwo more things\n${HITS[0]}\n${HITS[1]}`)],
      ["a failure", [call("search", { query: "x" }), failure("the index is being built")]],
      ["something told elsewhere", step("read_file", { path: "a.ts" }, "export const limit = 5;")],
      ["a new change of the world", step("edit", { path: "a.ts", content: "x" }, "edited")],
    ])("starts again after %s", (_what, events) => {
      const [first, second] = [asked(4).slice(0, 6), asked(8).slice(8)];

      expect(countsOf({ threshold: 5 }, [...all, ...first, ...events, ...second.slice(0, 6)])).toEqual([]);
    });

    it.each<[string, AgentEvent[]]>([
      ["one new line in six", [...all, ...asked(5, "search", (at) => `${HITS.join("\n")}\nfor ${WORDINGS[at]}`)]],
      [
        "an empty look in between",
        [...all, ...asked(5).flatMap((event) => (event.type === "call" ? [event] : [event, ...step("ls", {}, "")]))],
      ],
    ])("goes on over %s", (_what, events) => {
      expect(countsOf({ threshold: 5 }, events).at(-1)).toBe(6);
    });

    it.each<[string, AgentEvent[]]>([
      ["items of a list", [...all, ...PARTS.flatMap((query, at) => search(query, some(at)))]],
      ["pages that are clicked through", [...step("click", { text: "all" }, HITS.join("\n")), ...asked(6, "click")]],
      ["measurements", [...all, ...asked(6, "benchmark")]],
      ["two pieces, which are too few", [...all, ...asked(6, "search", (at) => `${HITS[at % 6]}\n${HITS[0]}`)]],
    ])("leaves %s alone", (_what, events) => {
      expect(countsOf({ threshold: 5 }, events)).toEqual([]);
    });
  });

  describe("at one thing said in ever other words", () => {
    const THOUGHTS = [
      "The parser drops the last token, so I look at the loop in the lexer.",
      "I look at the lexer once more, because the last token is dropped by the parser.",
      "Because the parser drops a token, the loop in the lexer is where I look.",
      "So the last token is dropped, and I look at the loop of the lexer.",
      "The loop in the lexer drops the last token of the parser, I look there now.",
      "I look at the lexer, whose loop drops the last token.",
      "The last token of the parser is dropped by the loop of the lexer, so I look at it.",
    ];
    const said = (count: number, tool: string, says = "noted", name = "text") =>
      THOUGHTS.slice(0, count).flatMap((words) => step(tool, { [name]: words }, says));

    it.each(["think", "send_message", "ask_expert"])("counts what is told to %s", (tool) => {
      expect(countsOf({ threshold: 5 }, said(4, tool))).toEqual([]);
      expect(findingsOf(stalled({ threshold: 5 }), said(6, tool))).toMatchObject([
        { count: 5, steps: [0, 1, 2, 3, 4], tools: [tool], isCertain: false },
        { count: 6 },
      ]);
    });

    it("counts what is written, two more of them", () => {
      expect(countsOf({ threshold: 5 }, said(6, "write_file", "written", "content"))).toEqual([]);
      expect(countsOf({ threshold: 5 }, said(7, "write_file", "written", "content"))).toEqual([7]);
    });

    it("goes on over what brings nothing, and starts again after what does", () => {
      const between = (events: readonly AgentEvent[]) => [...said(3, "think"), ...events, ...said(6, "think").slice(6)];
      const look = step("read_file", { path: "lexer.ts" }, "export function lex() {}");

      expect(countsOf({ threshold: 5 }, between(step("ls", {}, "")))).toEqual([5, 6]);
      expect(countsOf({ threshold: 5 }, [...look, ...between(look)])).toEqual([5, 6]);
      expect(countsOf({ threshold: 5 }, between(look))).toEqual([]);
    });

    it.each<[string, AgentEvent[]]>([
      [
        "long answers, which are worth asking for",
        THOUGHTS.flatMap((text, at) =>
          step("ask_expert", { text }, `${"It may be so, or not. ".repeat(9)}${THOUGHTS[6 - at]}`),
        ),
      ],
      ["failures", THOUGHTS.flatMap((words) => [call("think", { text: words }), failure("busy")])],
      ["commands", THOUGHTS.flatMap((words) => step("bash", { command: `./say.sh "${words}"` }, "noted"))],
      [
        "different things",
        [
          "Berlin is sunny.",
          "Anna writes that her train is late tonight.",
          "Bread, butter and milk.",
          "The invoice of the plumber was paid by card on Monday.",
          "Our new neighbours play the piano.",
        ].flatMap((words) => step("think", { text: words }, "noted")),
      ],
      [
        "one text for many",
        ["anna", "bert", "carl", "dora", "emil", "fred"].flatMap((to) =>
          step("send_message", { to, text: `Dear ${to}, the office is closed today.` }, "sent"),
        ),
      ],
    ])("leaves %s alone", (_what, events) => {
      expect(countsOf({ threshold: 5 }, events)).toEqual([]);
    });
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

  it("fires exactly if one thing was asked for without result as often as the threshold says, in any order", () => {
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
