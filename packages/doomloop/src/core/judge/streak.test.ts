import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { call, failure, judgedBy, newRun, result, step, user } from "../../../../../test/builders.ts";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import type { AgentEvent, ResultEvent } from "../event.ts";
import type { RunState } from "../memory/run-state.ts";
import { failuresInRow, isListOfItems, streakSinceChange } from "./streak.ts";

const failed = (tool: string, at: number, output = "Error: the server is gone"): AgentEvent[] => [
  call(tool, { at }),
  failure(output),
];

const command = (line: string, output: AgentEvent): AgentEvent[] => [call("bash", { command: line }), output];

function stateAfter(events: readonly AgentEvent[]): RunState {
  const run = newRun();
  for (const event of events) run.take(event);
  return run.state;
}

function weightOf(state: RunState, tool = "run_it"): number | undefined {
  return streakSinceChange(state, failuresInRow(state, tool), 1, () => true)?.weight;
}

describe("failures", () => {
  it("of a tool last until the tool succeeds", () => {
    const events = [...failed("run_it", 1), ...failed("run_it", 2), ...step("read_file", { path: "a" }, "words")];

    expect(failuresInRow(stateAfter(events), "run_it")).toHaveLength(2);
    expect(failuresInRow(stateAfter([...events, ...step("run_it", { at: 3 }, "fine")]), "run_it")).toEqual([]);
  });

  it("across tools last until any of them succeeds", () => {
    const events = [...failed("run_it", 1), ...failed("try_it", 2)];

    expect(failuresInRow(stateAfter(events))).toHaveLength(2);
    expect(failuresInRow(stateAfter([...events, ...step("read_file", { path: "a" }, "words")]))).toEqual([]);
  });

  it("are not ended by a look that shows nothing", () => {
    const events = [...failed("run_it", 1), ...failed("run_it", 2), ...step("bash", { command: "ls" }, "")];

    expect(failuresInRow(stateAfter(events))).toHaveLength(2);
  });

  it("are not those that wait for somebody else, but for the first", () => {
    const locked = [call("run_it"), failure("the index is locked by another")];
    const events = [...failed("run_it", 1), ...locked, ...locked, ...locked, ...failed("run_it", 2)];

    expect(failuresInRow(stateAfter(events), "run_it").map(({ index }) => index)).toEqual([0, 1, 4]);
  });

  it("are the latest that the run remembers, oldest first", () => {
    const events = Array.from({ length: 50 }, (_, at) => failed("run_it", at)).flat();
    const indices = failuresInRow(stateAfter(events), "run_it").map(({ index }) => index);

    expect(indices).toEqual(Array.from({ length: 24 }, (_, at) => 26 + at));
  });

  it("do not reach back over a word of the user", () => {
    const events = [...failed("run_it", 1), ...failed("run_it", 2), user("go on"), ...failed("run_it", 3)];

    expect(failuresInRow(stateAfter(events), "run_it").map(({ index }) => index)).toEqual([2]);
  });

  it.each<[string, AgentEvent[]]>([
    ["a look that shows nothing", command("ls", result("", { error: false }))],
    ["a wait", command("sleep 5", result("", { error: false }))],
    ["another tool", step("read_file", { path: "a.ts" }, "export const a = 1;")],
    ["a refusal", command("ls", result("no", { synthetic: true }))],
    ["a failure without a word", command("grep -q x a", failure(""))],
  ])("of a tool are not ended by %s, which does not count as one", (_what, events) => {
    const before = [1, 2, 3].flatMap((at) => command(`program-${at}`, failure(`program ${at}: bad option`)));

    expect(failuresInRow(stateAfter([...before, ...events]), "bash").map(({ index }) => index)).toEqual([0, 1, 2]);
  });
});

describe("a streak", () => {
  it("weighs its rounds", () => {
    expect(weightOf(stateAfter([...failed("run_it", 1), ...failed("run_it", 2), ...failed("run_it", 3)]))).toBe(3);
  });

  it("of one round weighs nothing, and more of a round a third each", () => {
    const batch = [1, 2, 3].map((at) => call("run_it", { at }, { id: `${at}` }));
    const answers = [1, 2, 3].map((at) => result("Error: gone", { id: `${at}`, error: true }));

    expect(weightOf(stateAfter([...batch, ...answers]))).toBeUndefined();
    expect(weightOf(stateAfter([...batch, ...answers, ...failed("run_it", 4)]))).toBeCloseTo(2 + 2 / 3);
  });

  it("weighs one less where only words tell of failure", () => {
    const read = [1, 2, 3].flatMap((at) => step("run_it", { at }, "Error: the server is gone"));

    expect(weightOf(stateAfter(read))).toBe(2);
  });

  it("begins after the last change of the world", () => {
    const events = [
      ...failed("run_it", 1),
      ...failed("run_it", 2),
      ...step("write_file", { path: "a" }, "ok"),
      ...failed("run_it", 3),
      ...failed("run_it", 4),
    ];

    expect(weightOf(stateAfter(events))).toBe(2);
  });

  it("ends where a failure does not fit", () => {
    const state = stateAfter([
      ...failed("run_it", 1),
      ...failed("run_it", 2, "Error: other"),
      ...failed("run_it", 3),
      ...failed("run_it", 4),
    ]);
    const kind = state.history.at(-1)!.failure!.kind;
    const streak = streakSinceChange(
      state,
      failuresInRow(state, "run_it"),
      1,
      ({ failure: own }) => own?.kind === kind,
    );

    expect(streak?.weight).toBe(2);
    expect(streak?.steps.map(({ index }) => index)).toEqual([2, 3]);
  });
});

const PARTS = [
  "KX-771",
  "QP-204",
  "ZZ-918",
  "LM-663",
  "RB-150",
  "TT-042",
  "HV-377",
  "WA-816",
  "EE-501",
  "OS-288",
  "NB-119",
];

/** Whether calls that all came to one thing, taken together, are a list. */
function isList(calls: readonly object[], output: ResultEvent, tool = "get_part"): boolean {
  return isListOfItems(
    judgedBy(
      newRun({ progress: { seesResults: true } }),
      calls.flatMap((args) => [call(tool, args), output]),
    ).map(({ step }) => step),
  );
}

const of = (field: string, names: readonly string[]) => names.map((name) => ({ [field]: name }));
const NOT_FOUND = failure("Error: there is no such part");

describe("isListOfItems", () => {
  it.each<[string, object[]]>([
    ["part numbers", of("number", PARTS)],
    [
      "different names in a sentence",
      ["anna", "bert", "carl", "dora"].map((name) => ({ query: `mail of ${name} please` })),
    ],
    ["a name and the number that goes with it", PARTS.map((number, at) => ({ number, shelf: at + 4 }))],
  ])("is true for %s that are not found", (_what, calls) => {
    expect(isList(calls, NOT_FOUND)).toBe(true);
  });

  it.each<[string, object[]]>([
    ["guesses at one name", of("name", ["fetchUser", "fetch_user", "getUser", "user", "loadUser", "findUser"])],
    [
      "one question in other words",
      of("query", ["retry limit", "limit of retries", "how often do we retry", "retries"]),
    ],
    ["one thing over and over", of("number", ["KX-771", "KX-771", "KX-771", "KX-771"])],
    ["things that have nothing in common", of("query", ["red moon", "a", "the price of fish in June", "zlib"])],
  ])("is false for %s", (_what, calls) => {
    expect(isList(calls, NOT_FOUND)).toBe(false);
  });

  it("is true for what is looked up at length, and of what is changed in a word", () => {
    const asked = PARTS.map((part) => ({
      question: `Would you please tell me what the price of part ${part} is today`,
    }));

    expect(isList(asked, NOT_FOUND)).toBe(true);
    expect(isList(of("number", PARTS), NOT_FOUND, "delete_part")).toBe(true);
  });

  it("is false for items that all meet a closed door", () => {
    expect(isList(of("number", PARTS), failure("403 Forbidden"))).toBe(false);
    expect(isList(of("number", PARTS), failure("404 Not Found"))).toBe(true);
  });

  it("is true for a dozen items and more", () => {
    expect(isList(of("number", [...PARTS, "DJ-430"]), NOT_FOUND)).toBe(true);
  });

  it("is false for long texts that are written with other numbers", () => {
    const patch = (line: number) => ({
      patch: `@@ line ${line} @@ replace the old total by the new total of the order\n`,
    });

    expect(isList([12, 13, 14, 15].map(patch), NOT_FOUND, "apply_patch")).toBe(false);
    expect(isList([12, 13, 14, 15].map(patch), NOT_FOUND, "get_patch")).toBe(false);
  });

  it.each([
    ["some names in common", ["users_old", "orders_old", "users_new", "orders_new"]],
    ["one name in common", ["web-1", "web-2", "web-3", "web-4"]],
  ])("takes names with %s for items where they succeed, and for guesses where they fail", (_what, names) => {
    expect(isList(of("table", names), result("3 columns"), "describe")).toBe(true);
    expect(isList(of("table", names), NOT_FOUND, "describe")).toBe(false);
  });

  it("is false where calls are too long ago to compare", () => {
    const events = Array.from({ length: 40 }, (_, at) => [call("get_part", { number: `KX-${at}` }), NOT_FOUND]).flat();
    const steps = judgedBy(newRun({ progress: { seesResults: true } }), events).map(({ step }) => step);
    const isListAt = (indices: readonly number[]) => isListOfItems(indices.map((index) => steps[index]!));

    expect(isListAt([0, 1, 38, 39])).toBe(false);
    expect(isListAt([36, 37, 38, 39])).toBe(true);
  });

  it("is true for any few different numbers in one place, in whatever order", () => {
    const numbers = fc.uniqueArray(fc.integer({ min: 100, max: 99_999 }), { minLength: 3, maxLength: 11 });
    const property = fc.property(numbers, (list) => {
      expect(
        isList(
          list.map((number) => ({ number: `no ${number}` })),
          NOT_FOUND,
        ),
      ).toBe(true);
    });
    fc.assert(property, { numRuns: Math.ceil(propertyRuns() / 10) });
  });
});
