import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { actionsOf, call, failure, findingsOf, step, times, user } from "../../../../../test/builders.ts";
import { detectorContract } from "../../../../../test/contracts/detector.ts";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { refusal } from "../../../../../test/refusal.ts";
import type { AgentEvent } from "../event.ts";
import { type SimilarCallOptions, similarCall } from "./similar-call.ts";

const LONG = `No documents match this query in the index of the handbook. ${"Try other words or a wider range. ".repeat(6)}`;
const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const PAGE = [...LETTERS].map((letter) => `row ${letter} of the list is what it was`).join("\n");
const ENDINGS = ["", "?", " now", " here", " at all", " today", " please", "!"];

/** Nearly the same question, in some other words each time. */
const ask = (at: number, says = LONG) =>
  step("search", { query: `where is the retry limit of the payment client configured${ENDINGS[at]}` }, says);
const asks = (count: number, says?: string) => Array.from({ length: count }, (_, at) => ask(at, says)).flat();
const failing = (at: number, says = `Error: field number ${at} is missing`) => [
  call("create_ticket", { title: "Payment client retries without limit", body: `Version ${ENDINGS[at]} of the text` }),
  failure(says),
];
const failures = (count: number) => Array.from({ length: count }, (_, at) => failing(at)).flat();

const countsOf = (options: SimilarCallOptions, events: readonly AgentEvent[]) =>
  findingsOf(similarCall(options), events).map(({ count }) => count);

describe("similarCall", () => {
  detectorContract(
    similarCall,
    asks(6),
    Array.from({ length: 8 }, (_, at) => step("read_file", { path: "a.log", offset: at * 100 }, LONG)).flat(),
  );

  it("fires at the threshold and not before", () => {
    expect(countsOf({ threshold: 4 }, asks(3))).toEqual([]);
    expect(countsOf({ threshold: 4 }, asks(5))).toEqual([4, 5]);
    expect(findingsOf(similarCall({ threshold: 4 }), asks(4))).toMatchObject([
      { steps: [0, 1, 2, 3], tools: ["search"], evidence: { isFailing: false } },
    ]);
  });

  it("fires on similar calls that fail, each in its own way, at their own threshold", () => {
    expect(countsOf({ failingThreshold: 5 }, failures(4))).toEqual([]);
    expect(findingsOf(similarCall({ failingThreshold: 5 }), failures(5))).toMatchObject([
      { count: 5, evidence: { isFailing: true } },
    ]);
  });

  it.each([
    ["a new change of the world", step("edit", { path: "a.ts", text: "x" }, "edited")],
    ["a word of the user", [user("go on")]],
  ])("starts again after %s", (_what, events) => {
    expect(countsOf({ threshold: 4 }, [...asks(3), ...events, ...asks(3)])).toEqual([]);
    expect(countsOf({ threshold: 4 }, [...asks(3), ...events, ...asks(4)])).toEqual([4]);
  });

  it("starts again with the failures after a success of the tool", () => {
    const success = step("create_ticket", { title: "another", body: "text" }, "created 17", { error: false });

    expect(countsOf({ failingThreshold: 5 }, [...failures(4), ...success, ...failures(4)])).toEqual([]);
  });

  it("does not count calls whose outcomes differ", () => {
    const answers = Array.from({ length: 8 }, (_, at) =>
      ask(at, `${String.fromCharCode(97 + at).repeat(50)} `.repeat(6)),
    );

    expect(countsOf({ threshold: 2 }, answers.flat())).toEqual([]);
  });

  it("does not count different questions", () => {
    const questions = ["alpha", "the weather in Rome", "zlib", "42 apples", "queue depth", "who owns billing"];

    expect(
      countsOf(
        { threshold: 2 },
        questions.flatMap((query) => step("search", { query }, LONG)),
      ),
    ).toEqual([]);
  });

  it("does not count a short answer to different questions, which is the same because it is short", () => {
    const names = ["alpha", "beta", "gamma", "delta", "epsilon"];
    const questions = names.flatMap((name) => step("search", { query: `who maintains the ${name} service` }, "[]"));
    const days = [1, 2, 3, 4, 5].flatMap((day) => step("search_flight", { to: "ORD", date: `2026-05-0${day}` }, "[]"));

    expect(countsOf({ threshold: 2 }, [...questions, ...days])).toEqual([]);
  });

  it("leaves a short answer to one question in other words to others", () => {
    expect(countsOf({ threshold: 2 }, asks(8, "[]"))).toEqual([]);
    expect(countsOf({ threshold: 2 }, asks(8, LONG.slice(0, 199)))).toEqual([]);
    expect(countsOf({ threshold: 2 }, asks(3, LONG.slice(0, 200)))).toEqual([2, 3]);
  });

  it("leaves a list whose items all fail alone, however long", () => {
    const item = (_: unknown, at: number) => [
      call("create_ticket", { title: `The payment client retries without any limit in part KX-${771 + at}` }),
      failure(`Error: field number ${at} is missing`),
    ];

    expect(countsOf({ threshold: 2, failingThreshold: 2 }, Array.from({ length: 11 }, item).flat())).toEqual([]);
    expect(countsOf({ failingThreshold: 5 }, Array.from({ length: 20 }, item).flat())).toEqual([]);
  });

  it("takes calls that differ in a flag only for the same", () => {
    const typed = (flags: object) => step("search", { query: "lahti", ...flags }, LONG);
    const events = [{}, { exact: true }, { exact: false }, { exact: true, all: null }].flatMap(typed);

    expect(countsOf({ threshold: 4 }, events)).toEqual([4]);
  });

  it("does not count files that each have a name of their own, though they hold the same", () => {
    const read = (name: string) => step("read_file", { path: `packages/${name}/tsconfig.json` }, LONG);

    expect(countsOf({ threshold: 2 }, ["api", "app", "web", "cli"].flatMap(read))).toEqual([]);
  });

  it("needs one more where only words tell of failure", () => {
    const attempts = (count: number) => asks(count, "It did not pass. Please try again.");

    expect(countsOf({ threshold: 4, failingThreshold: 9 }, attempts(4))).toEqual([]);
    expect(countsOf({ threshold: 4, failingThreshold: 9 }, attempts(5))).toEqual([5]);
  });

  it("leaves exact repeats to other detectors", () => {
    expect(countsOf({ threshold: 2 }, times(6, ask(0)))).toEqual([]);
  });

  it("counts calls that are as similar as asked, and no others", () => {
    expect(countsOf({ similarity: 1, threshold: 3 }, asks(6))).toEqual([]);
    expect(countsOf({ similarity: 0.3, threshold: 2 }, asks(3))).toEqual([2, 3]);
  });

  const blind = (of: (at: number) => AgentEvent) => [0, 1, 2, 3, 4, 5, 6, 7].map(of);
  const inNote = (tool: string) => (at: number) => call(tool, { text: `the same note again, version ${at}` });

  it("counts similar calls of a run that shows no results", () => {
    const run = { progress: { seesResults: false } } as const;

    expect(findingsOf(similarCall({ blindThreshold: 5 }), blind(inNote("create_note")), run)).toMatchObject([
      { count: 5, evidence: { outcome: "blind" } },
      { count: 6 },
      { count: 7 },
      { count: 8 },
    ]);
    expect(findingsOf(similarCall({ blindThreshold: 5 }), blind(inNote("read_note")), run)).toEqual([]);
    expect(findingsOf(similarCall({ blindThreshold: 5 }), blind(inNote("scroll")), run)).toEqual([]);
  });

  it("takes a run for one without results from the eighth action on a page, and never for a batch of other calls", () => {
    expect(findingsOf(similarCall({ blindThreshold: 5 }), blind(inNote("type")))).toMatchObject([{ count: 8 }]);
    expect(findingsOf(similarCall({ blindThreshold: 5 }), blind(inNote("type")).slice(1))).toEqual([]);
    expect(findingsOf(similarCall({ blindThreshold: 5 }), blind(inNote("delegate")))).toEqual([]);
  });

  it("counts a field of a page filled with one number after the other, where nobody sees the page", () => {
    const fill = (field: (at: number) => string) =>
      blind((at) => call("fill", { id: field(at), value: `${60 - at}.5` }));

    expect(
      findingsOf(
        similarCall({ blindThreshold: 5 }),
        fill(() => "993"),
      ),
    ).toMatchObject([{ count: 8 }]);
    expect(
      findingsOf(
        similarCall({ blindThreshold: 5 }),
        fill((at) => `${990 + at}`),
      ),
    ).toEqual([]);
  });

  it("gives one loop one identity, in every run and from finding to finding", () => {
    const loops = findingsOf(similarCall({ threshold: 3 }), asks(8)).map(({ loop }) => loop);

    expect(new Set(loops).size).toBe(1);
    expect(findingsOf(similarCall({ threshold: 3 }), [user(), ...asks(4).slice(2)])[0]?.loop).toBe(loops[0]);
    expect(findingsOf(similarCall({ threshold: 3 }), asks(4, `${LONG} Really.`))[0]?.loop).toBe(loops[0]);
    expect(findingsOf(similarCall({ failingThreshold: 5 }), failures(5))[0]?.loop).not.toBe(loops[0]);
  });

  it("is never certain: what differs may be what the call was for", () => {
    const findings = [...findingsOf(similarCall(), asks(8)), ...findingsOf(similarCall(), failures(8))];

    expect(findings.length).toBeGreaterThan(4);
    expect(findings.some(({ isCertain }) => isCertain)).toBe(false);
  });

  it.each([
    ["come to the same", (query: string, at: number) => step("search", { query }, `${PAGE}\nBy ${LETTERS[at % 26]}`)],
    [
      "fail in many ways",
      (body: string, at: number) => [call("create_ticket", { body }), failure(`no ${LETTERS[at % 9]}`)],
    ],
  ])(
    "talks of forty calls in vain that %s, and ends nothing: what differs may be what each was for",
    (_what, attempt) => {
      const words = Array.from(
        { length: 40 },
        (_, at) => `the retry limit of our ${"very ".repeat(at % 5)}old ${LETTERS[at % 26]}`,
      );
      const actions = actionsOf(words.flatMap(attempt));

      expect(actions.length).toBeGreaterThan(3);
      expect(new Set(actions)).toEqual(new Set(["nudge"]));
    },
  );

  it("leaves a sweep alone, which asks for another number each time and brings others", () => {
    const said = (at: number) => PAGE.replace("row m of", `row ${at} of`);
    const asked = (what: (at: number) => string, answer = said) =>
      Array.from({ length: 8 }, (_, at) =>
        step("simulate", { query: `how warm is the oven with its door ${what(at)}` }, answer(at)),
      );
    const degrees = (at: number) => `at ${at + 7} degrees`;

    expect(countsOf({ threshold: 4 }, asked(degrees).flat())).toEqual([]);
    expect(countsOf({ threshold: 4 }, asked(degrees, () => PAGE).flat())).not.toEqual([]);
    expect(countsOf({ threshold: 4 }, asked((at) => ENDINGS[at]!).flat())).not.toEqual([]);
  });

  it("does not count calls that wait", () => {
    const look = (job: string) =>
      step("get_job", { job }, `state: running. ${"It takes its time, as it does on every day. ".repeat(5)}`);

    expect(
      countsOf({ threshold: 4 }, [...times(6, look("the nightly backup of ours")), ...look("nightly backup of ours")]),
    ).toEqual([]);
  });

  it("leaves a list alone whose items are all well", () => {
    const sweep = Array.from({ length: 20 }, (_, at) =>
      step("run_check", { host: `web-${at + 1}`, check: "disk" }, "All volumes are mounted and healthy. ".repeat(7)),
    );

    expect(actionsOf(sweep.flat())).toEqual([]);
  });

  it("keeps the loop's identity where the outcomes differ in a time only", () => {
    const events = [0, 1, 2, 3, 4, 5].flatMap((at) => ask(at, `${LONG} Searched at 2024-05-01T10:00:0${at}Z`));
    const loops = findingsOf(similarCall({ threshold: 3 }), events).map(({ loop }) => loop);

    expect(loops).toHaveLength(4);
    expect(new Set(loops).size).toBe(1);
  });

  it("never counts pages or ranges of one thing, whatever their numbers and results", () => {
    const property = fc.property(
      fc.uniqueArray(fc.nat(), { minLength: 2, maxLength: 8 }),
      fc.constantFrom("offset", "page", "start_line", "cursor"),
      (places, field) => {
        const events = places.flatMap((place) => step("read_file", { path: "a.log", [field]: place }, LONG));

        expect(countsOf({ threshold: 2 }, events)).toEqual([]);
      },
    );
    fc.assert(property, { numRuns: Math.ceil(propertyRuns() / 4) });
  });

  it.each([
    [{ threshold: 1 }, "similar-call: threshold: … is required, got 1"],
    [{ failingThreshold: 0 }, "similar-call: failingThreshold: … is required, got 0"],
    [{ blindThreshold: 2.5 }, "similar-call: blindThreshold: … is required, got 2.5"],
    [{ similarity: 0 }, "similar-call: a similarity above 0 and at most 1 is required, got 0"],
    [{ similarity: 1.1 }, "similar-call: a similarity above 0 and at most 1 is required, got 1.1"],
    [{ similarity: Number.NaN }, "similar-call: a similarity above 0 and at most 1 is required, got NaN"],
  ])("refuses %j", (options, message) => {
    expect(() => similarCall(options)).toThrow(refusal(message));
  });
});
