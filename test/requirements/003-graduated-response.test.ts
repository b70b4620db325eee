import { type AgentEvent, type Decision, LOOP_DETECTED, TOOL_DESCRIPTION_PARAGRAPH } from "doomloop";
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
  times,
  user,
} from "../builders.ts";
import { aggressive, balanced, type CountingProfile, conservative } from "./profiles.ts";

const list = call("bash", { command: "ls" });
const tool = (name: string) => call(`tool_${name}`, { name });
const [a, b, c, d, e, f] = [tool("a"), tool("b"), tool("c"), tool("d"), tool("e"), tool("f")];

/** Calls that differ from each other and from all others. */
function others(count: number, from = 0): AgentEvent[] {
  return Array.from({ length: count }, (_, at) => call("open_page", { page: from + at }));
}

function placesOf(events: readonly AgentEvent[], options: GuardConfig): number[] {
  return decisionsOf(events, options).map(({ at }) => at);
}

/** A run, and where a guard speaks in it. */
type Case = readonly [title: string, events: readonly AgentEvent[], places: readonly number[]];

const similar = (threshold: number): GuardConfig => ({ detectors: { "same-outcome": { threshold } } });

/** A profile that only looks for patterns. */
function patternsOf({ counts }: CountingProfile): GuardConfig {
  return { counts: { cycles: counts.cycles }, ladder: ["nudge"] };
}

describe("document 003: exact duplicates", () => {
  it("finds three identical calls", () => {
    expect(decisionsOf(times(3, [list]), balanced)).toMatchObject([
      { at: 2, action: "nudge", finding: { kind: "repeated-call", count: 3, tools: ["bash"] } },
    ]);
  });

  it.each<Case>([
    ["no calls that all differ", [a, b, c, d, e, f, ...others(50)], []],
    ["not the same tool with other arguments", ["a", "b", "c"].map((path) => call("ls", { path })), []],
    ["duplicates with other calls between them", [a, b, a, c, a], [4]],
    ["no call after two that left the window", [a, a, ...others(9), a], []],
    ["the tenth call before a call", [a, ...others(4), a, ...others(4, 4), a], [10]],
    ["not the eleventh call before a call", [a, ...others(4), a, ...others(5, 4), a], []],
    ["no single call that was warned of, but left the window", [a, a, a, a, ...others(12), a], [2, 3]],
  ])("counts %s", (_title, events, places) => expect(placesOf(events, balanced)).toEqual(places));
});

describe("document 003: patterns", () => {
  it.each([
    [2, [a, b]],
    [3, [a, b, c]],
    [4, [a, b, c, d]],
    [5, [a, b, c, d, e]],
  ])("finds a pattern of %i calls with the end of its second lap", (period, lap) => {
    expect(decisionsOf(times(2, lap), balanced)).toMatchObject([
      { at: 2 * period - 1, finding: { kind: "call-cycle", period, count: 2 } },
    ]);
  });

  it.each<Case>([
    ["patterns of six calls", times(2, [a, b, c, d, e, f]), []],
    ["a pattern of which one call differs", [a, b, c, a, b, d], []],
  ])("does not find %s", (_title, events, places) => expect(placesOf(events, balanced)).toEqual(places));

  it("names duplicates before patterns where both are there", () => {
    const said = decisionsOf([a, b, a, c, a, b, a, c, a], { ...balanced, ladder: ["nudge"] });

    expect(said.at(-1)).toMatchObject({ at: 8, finding: { kind: "repeated-call" } });
  });
});

describe("document 003: the examples of its problem statement", () => {
  const searches = ["retry", "retri", "retrie", "retrys", "re-try"].flatMap((query) =>
    step("search", { query }, "not found", { error: true }),
  );

  it.each([
    ["a listing that is asked for again because it showed nothing", times(5, [list, result("")]), balanced, { at: 4 }],
    [
      "two tools taken in turn, of which one fails",
      times(2, [a, failure("bad gateway"), b, result("ok")]),
      balanced,
      { at: 6, finding: { kind: "call-cycle", period: 2 } },
    ],
    [
      "a search that is varied a little and never finds anything",
      searches,
      similar(4),
      { at: 7, action: "nudge", finding: { count: 4, tools: ["search"] } },
    ],
  ])("finds %s", (_title, events, options, found) => {
    expect(decisionsOf(events, options)[0]).toMatchObject(found);
  });
});

describe("document 003: similar calls", () => {
  const table = "region | orders | revenue | share of the total, counted by quarter\n".repeat(6);
  const questions = ["orders by region", "the orders by region", "orders by region please", "orders by regions"].map(
    (question) => ({ question: `show a table of all ${question} in the last quarter of the year`, format: "text" }),
  );
  const asked = questions.flatMap((args) => step("query_database", args, table));
  const lists = questions.map(({ question, format }) => ({ parts: [question, "of this shop"], format }));
  const places = ["Aachen", "Oslo", "Quito", "Lima"].map((place) => ({ place, unit: "metric" }));
  const same = { at: 7, finding: { kind: "same-outcome", count: 4 } };

  it.each<[title: string, events: readonly AgentEvent[], threshold: number, found: object[]]>([
    ["finds arguments that differ a little and results that are the same", asked, 4, [same]],
    ["does not find them before the threshold", asked.slice(0, 6), 4, []],
    ["is less sensitive with a higher threshold", asked, 5, []],
    ["compares lists by what is in them", lists.flatMap((args) => step("query_database", args, table)), 4, [same]],
    ["takes calls for different of which one field differs", places.flatMap((args) => step("get", args, table)), 4, []],
  ])("%s", (_title, events, threshold, found) => {
    const decisions = decisionsOf(events, similar(threshold)).filter(({ finding }) => finding?.kind === "same-outcome");

    expect(decisions.slice(0, 1)).toMatchObject(found);
  });

  it("finds a command that is varied by its options and fails each time", () => {
    const run = ["ls src/lib", "ls -l src/lib", "ls -la src/lib", "ls -a src/lib", "ls -1 src/lib"].flatMap((command) =>
      step("bash", { command }, "ls: cannot access 'src/lib': No such file or directory", { error: true }),
    );

    expect(actionsOf(run)).toContain("nudge");
  });

  it("lets similar calls be that bring different results", () => {
    const run = [1, 2, 3, 4, 5, 6].flatMap((part) =>
      step("read_file", { path: `src/part-${part}.ts` }, `export const part${part} = "${"x".repeat(part * 40)}";`),
    );

    expect(actionsOf(run)).toEqual([]);
  });
});

describe("document 003: repetitive results", () => {
  const refused = [
    call("read_file", { path: "config.json" }),
    call("bash", { command: "curl localhost" }),
    call("tables"),
    call("fetch"),
  ];
  const commands = ["python -m app", "python app.py", "python3 app.py --debug", "env DEBUG=1 python app.py"];
  const note = "ordered by telephone, delivered to the back door, and paid in cash on arrival";
  const report = (time: string) =>
    `Report made at ${time}: 3 orders open, 2 closed, and nothing else to tell of today, `;
  const names = "ash beech birch cedar elm fir hazel larch lime maple oak pine plane rowan willow yew".split(" ");
  const lines = names.map((name) => `The ${name} stands by the river.`).join("\n");
  const again = (...outputs: unknown[]) => outputs.flatMap((output) => step("get", { id: 1 }, output));
  const levels = (...ends: string[]) => again(...ends.map((end) => `${lines}\nThe water is ${end} high.`));
  const bytes = (factor: number) => Uint8Array.from({ length: 60 }, (_, place) => place * factor);

  it("finds different calls that fail with one error", () => {
    const run = refused.flatMap((each) => [each, failure("Error: connection refused")]);

    expect(decisionsOf(run, similar(4))).toMatchObject([{ at: 7, finding: { kind: "same-outcome", count: 4 } }]);
  });

  it("finds variations that fail in one way, whatever names and numbers the error holds", () => {
    const run = commands.flatMap((command, line) =>
      step("bash", { command }, `line ${line * 7}: name 'x${line}' is not defined`, { error: true }),
    );

    expect(decisionsOf(run, similar(4))[0]).toMatchObject({ at: 7 });
  });

  it.each(["", "No matches found"])("finds different searches that all answer with nothing: '%s'", (nothing) => {
    const queries = ["retry", "retri", "retrie", "retrys", "re-try", "retry()", "retries"];
    const run = queries.flatMap((query) => step("search_code", { query }, nothing));

    expect(decisionsOf(run, { detectors: { stalled: { threshold: 4 } } })[0]).toMatchObject({
      action: "nudge",
      finding: { kind: "stalled", evidence: { isEmpty: true } },
    });
  });

  it.each<Case>([
    [
      "the order of their fields",
      again({ id: 1, name: "a", note }, { name: "a", note, id: 1 }, { note, id: 1, name: "a" }),
      [5],
    ],
    ["a time of day", again(...["10:01:07", "10:01:19", "10:02:44"].map((time) => report(time).repeat(2))), [5]],
    ["a number that goes up and down", levels("31 cm", "33 cm", "32 cm"), [5]],
    ["nothing, as they are bytes", again(bytes(3), bytes(3), bytes(3)), [5]],
    ["nothing, as they are empty", again("", "", ""), [5]],
    ["a word of many: not the same", levels("very", "rather", "hardly", "not", "fairly"), []],
    ["bytes: not the same", again(bytes(0), bytes(1), bytes(2)), []],
  ])("compares results that differ in %s", (_title, events, places) => {
    expect(placesOf(events, { detectors: { "repeated-call": { threshold: 3 } } })).toEqual(places);
  });

  it("lets different calls be that all succeed with the same short word", () => {
    const run = ["a", "b", "c", "d", "e", "f", "g", "h"].flatMap((name) => step("create_user", { name }, "ok"));

    expect(actionsOf(run)).toEqual([]);
  });

  it("does not take a failure for the same as a success with the same words", () => {
    const run = [true, false, true, false].flatMap((error) => step("get_row", { id: 1 }, "row 1", { error }));

    expect(decisionsOf(run, { detectors: { "repeated-call": { threshold: 3 }, stalled: false } })).toEqual([]);
  });

  it("keeps results neither in memory at length nor in a snapshot", () => {
    const guard = createGuard();
    for (let page = 0; page < 300; page++) {
      for (const event of step("get_page", { page }, `secret ${page} `.repeat(5000))) guard.observe(event);
    }
    const saved = JSON.stringify(guard.snapshot());

    expect(saved.length).toBeLessThan(65_536);
    expect(saved).not.toContain("secret");
  });
});

describe("document 003: graduated response", () => {
  it.each([
    ["warns, warns again, and ends the run", times(5, [list])],
    ["counts detections over the whole run, whichever loop they are of", [a, a, a, b, b, b, c, c, c]],
    ["goes on counting after new calls", [a, a, a, ...others(20), b, b, b, ...others(20, 20), c, c, c]],
    ["counts the detections of duplicates and patterns together", [a, a, a, b, c, b, c, d, d, d]],
  ])("%s", (_title, events) => expect(actionsOf(events, balanced)).toEqual(["nudge", "nudge", "stop"]));

  it("stays at its last action", () => {
    expect(actionsOf(times(8, [list]), balanced)).toEqual(["nudge", "nudge", "stop", "stop", "stop", "stop"]);
  });

  it("goes on where the list of actions says so for a detection", () => {
    const seen: Decision[] = [];
    const goOnOnce = (decision: Decision): Decision | undefined => {
      seen.push(decision);
      return seen.length === 1 ? { action: "continue" } : undefined;
    };

    expect(actionsOf(times(4, [list]), { ...balanced, onDecision: goOnOnce })).toEqual(["nudge"]);
    expect(seen).toHaveLength(2);
  });
});

describe("document 003: what a detection tells", () => {
  const duplicate = decisionsOf(times(3, [list]), balanced)[0]!;
  const pattern = decisionsOf([a, b, a, b], balanced)[0]!;

  it("tells the kind, the calls and the count", () => {
    expect(duplicate.finding).toMatchObject({ kind: "repeated-call", tools: ["bash"], count: 3, steps: [0, 1, 2] });
    expect(pattern.finding).toMatchObject({ kind: "call-cycle", tools: ["tool_a", "tool_b"], count: 2, period: 2 });
  });

  it("tells how sure it is, and is surer of duplicates than of patterns", () => {
    expect(duplicate.finding?.confidence).toBeGreaterThanOrEqual(pattern.finding?.confidence ?? 1);
    expect(duplicate.finding?.confidence).toBeLessThanOrEqual(1);
    expect(pattern.finding?.confidence).toBeGreaterThan(0.5);
  });

  it("names the tool and the count in its message and suggests another approach", () => {
    for (const fact of [/`bash`/, /3 times/, /(?:different|another) approach/i])
      expect(duplicate.message).toMatch(fact);
  });

  it("asks the user where a human watches", () => {
    expect(decisionsOf(times(6, [list]), { ...balanced, attended: true }).at(-1)).toMatchObject({
      action: "block",
      explanation: expect.stringMatching(/\?$/),
      message: expect.stringMatching(/user will decide/i),
    });
  });
});

describe("document 003: in a chat loop", () => {
  /** Runs calls as a chat loop does: a warning becomes the call's result, the end is an error with the suggestion. */
  function chatLoop(calls: readonly AgentEvent[], options: GuardConfig): { results: string[]; error?: string } {
    const guard = createGuard(options);
    const results: string[] = [];
    for (const event of calls) {
      const decision = guard.observe(event);
      if (decision.action === "stop") {
        guard.reset();
        return { results, error: `${decision.status}: ${decision.message}` };
      }
      const isWarned = decision.action === "nudge";
      results.push(isWarned ? decision.message! : "ran");
      guard.observe(result(results.at(-1), { synthetic: isWarned }));
    }
    return { results };
  }

  it("puts warnings in place of results before the calls run, and ends with an error", () => {
    const { results, error } = chatLoop(times(6, [list]), balanced);

    expect(results.map((output) => output === "ran")).toEqual([true, true, false, false]);
    expect(error).toContain(LOOP_DETECTED);
    expect(error).toContain("`bash`");
  });

  it("does not interfere where nothing is repeated", () => {
    expect(chatLoop(others(20), balanced)).toEqual({ results: Array(20).fill("ran") });
  });

  it("asks the callback about each detection, and does what it says", () => {
    const asked: (string | undefined)[] = [];
    const options: GuardConfig = {
      ...balanced,
      onDecision: (decision) => {
        asked.push(decision.finding?.kind);
        return { action: "continue" };
      },
    };

    expect(chatLoop([...others(3), ...times(6, [list])], options).error).toBeUndefined();
    expect(asked).toEqual(["repeated-call", "repeated-call", "repeated-call", "repeated-call"]);
  });

  it("lets the callback end the run at once", () => {
    const options: GuardConfig = { ...balanced, onDecision: (decision) => ({ ...decision, action: "stop" }) };

    expect(actionsOf(times(3, [list]), options)).toEqual(["stop"]);
  });

  it("forgets calls and detections when it is cleared", () => {
    const guard = createGuard(balanced);
    const actions = (count: number) => times(count, [list]).map((event) => guard.observe(event).action);
    actions(5);
    guard.reset();

    expect(actions(5)).toEqual(["continue", "continue", "nudge", "nudge", "stop"]);
  });

  it("keeps chat loops apart", () => {
    const guards = [createGuard(balanced), createGuard(balanced), createGuard(balanced)];

    expect(guards.map((guard) => guard.observe(list).action)).toEqual(["continue", "continue", "continue"]);
  });

  it("only watches where it is not asked to act", () => {
    const guard = createGuard({ ...balanced, preset: "shadow" });
    const decisions = times(4, [list]).map((event) => guard.observe(event));

    expect(decisions.map(({ action }) => action)).toEqual(Array(4).fill("continue"));
    expect(decisions.map(({ finding }) => finding?.kind)).toEqual([
      undefined,
      undefined,
      "repeated-call",
      "repeated-call",
    ]);
  });
});

describe("document 003: the conservative configuration", () => {
  const spread = (gap: number) => [a, ...others(2), a, ...others(3, 2), a, ...others(4, 5), a, ...others(gap, 9), a];

  it.each<Case>([
    ["the fifth duplicate, not the fourth", times(5, [list]), [4]],
    ["duplicates among the fifteen calls before", spread(2), [15]],
    ["none before them", spread(3), []],
    ["a pattern of three calls with the end of its third lap", times(3, [a, b, c]), [8]],
    ["a pattern of four", times(3, [a, b, c, d]), [11]],
    ["a pattern of five", times(3, [a, b, c, d, e]), [14]],
    ["none of two", times(3, [a, b]), []],
    ["none of six", times(3, [a, b, c, d, e, f]), []],
  ])("finds %s", (_title, events, places) => expect(placesOf(events, conservative)).toEqual(places));

  it("warns three times before it ends the run", () => {
    expect(actionsOf(times(8, [list]), conservative)).toEqual(["nudge", "nudge", "nudge", "stop"]);
  });
});

describe("document 003: the aggressive configuration", () => {
  it.each<Case>([
    ["the second duplicate", times(2, [list]), [1]],
    ["a duplicate among the ten calls before", [a, ...others(9), a], [10]],
    ["none before them", [a, ...others(10), a], []],
  ])("finds %s", (_title, events, places) => expect(placesOf(events, aggressive)).toEqual(places));

  it.each<Case>([
    ["two calls with the end of its second lap", times(2, [a, b]), [3]],
    ["three calls", times(2, [a, b, c]), [5]],
    ["four calls", times(2, [a, b, c, d]), [7]],
    ["five calls: none", times(2, [a, b, c, d, e]), []],
  ])("finds, where duplicates are left aside, a pattern of %s", (_title, events, places) => {
    expect(placesOf(events, patternsOf(aggressive))).toEqual(places);
  });

  it("warns once before it ends the run", () => {
    expect(actionsOf(times(3, [list]), aggressive)).toEqual(["nudge", "stop"]);
  });
});

describe("document 003: open questions", () => {
  it("lets one tool be called more often than others", () => {
    const options: GuardConfig = { ...balanced, rules: { search: { threshold: 6 } } };

    expect(placesOf(times(6, [call("search", { query: "x" })]), options)).toEqual([5]);
    expect(placesOf(times(3, [call("other", { query: "x" })]), options)).toEqual([2]);
  });

  it("refuses at once what must not happen twice", () => {
    const write = step("write_file", { path: "a", content: "x" }, "ok");
    const options: GuardConfig = { rules: { write_file: { repeat: "never" } } };

    expect(decisionsOf([...write, ...write], options)).toMatchObject([{ at: 2, action: "block" }]);
  });

  it("lets a search be called as often as it likes", () => {
    expect(
      actionsOf(times(20, [call("search", { query: "x" })]), { ...balanced, rules: { search: { ignore: true } } }),
    ).toEqual([]);
  });

  it("refuses thresholds that make no sense when it is created", () => {
    expect(() => createGuard({ detectors: { "repeated-call": { threshold: 1 } } })).toThrow(/threshold/);
    expect(() => createGuard({ counts: { cycles: { shortest: 5, longest: 4 } } })).toThrow(/longest/);
    expect(() => createGuard({ ladder: [] })).toThrow(/ladder/);
  });
});

describe("document 003: self-awareness", () => {
  it("has a paragraph for tool descriptions that names the signs and three ways out", () => {
    for (const fact of [/similar.*similar/, /results/, /approach/, /user/, /tried/]) {
      expect(TOOL_DESCRIPTION_PARAGRAPH).toMatch(fact);
    }
  });
});

describe("document 003: metrics", () => {
  it("counts checks, loops by kind and decisions, and tells the mean confidence", () => {
    const guard = createGuard({ ...balanced, ladder: ["nudge"] });
    const findings = [a, a, a, b, c, b, c].map((event) => guard.observe(event).finding);
    const sure = findings.filter((finding) => finding !== undefined).map(({ confidence }) => confidence);
    const stats = guard.stats();

    expect(stats).toMatchObject({
      checks: 7,
      findings: { "repeated-call": 1, "call-cycle": 1 },
      decisions: { continue: 5, nudge: 2 },
    });
    expect(stats.meanConfidence).toBeCloseTo(sure.reduce((sum, each) => sum + each, 0) / sure.length);
  });

  it("counts what was reported to be no loop, and does not find that again", () => {
    const guard = createGuard({ ...balanced, ladder: ["nudge"] });
    const found = times(3, [a])
      .map((event) => guard.observe(event))
      .at(-1);
    guard.allow(found!.finding!);

    expect(times(5, [a]).map((event) => guard.observe(event).action)).toEqual(Array(5).fill("continue"));
    expect(guard.stats().falsePositives).toBe(1);
  });

  it("counts whether nudges were followed", () => {
    const guard = createGuard(balanced);
    for (const event of [...times(4, [a]), user("go on")]) guard.observe(event);

    expect(guard.stats().nudges.ignored).toBeGreaterThan(0);
  });
});
