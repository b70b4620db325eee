import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bootstrap } from "../../bench/quality/bootstrap.ts";
import { type JudgedSource, OURS } from "../../bench/quality/judged-run.ts";
import { parseLabels } from "../../bench/quality/labels.ts";
import { measure } from "../../bench/quality/measure.ts";
import { replaySource } from "../../bench/quality/replay-source.ts";
import { recordedToMarkdown } from "../../bench/quality/report/recorded-to-markdown.ts";
import { deerFlow } from "../../bench/quality/rules/deer-flow.ts";
import { founding000 } from "../../bench/quality/rules/founding-000.ts";
import { founding001 } from "../../bench/quality/rules/founding-001.ts";
import { founding002 } from "../../bench/quality/rules/founding-002.ts";
import { founding003 } from "../../bench/quality/rules/founding-003.ts";
import { founding004 } from "../../bench/quality/rules/founding-004.ts";
import { geminiCli } from "../../bench/quality/rules/gemini-cli.ts";
import { hermes } from "../../bench/quality/rules/hermes.ts";
import { opencode } from "../../bench/quality/rules/opencode.ts";
import { openHands } from "../../bench/quality/rules/openhands.ts";
import { recordedSteps } from "../../bench/quality/rules/recorded-step.ts";
import { senpi } from "../../bench/quality/rules/senpi.ts";
import { stella } from "../../bench/quality/rules/stella.ts";
import { scoreWindow, tally } from "../../bench/quality/score-windows.ts";
import type { AgentEvent } from "../../packages/doomloop/src/core/event.ts";
import { call, result, step, times, user } from "../builders.ts";

const label = (more: object) => JSON.stringify({ run: "a", window: [10, 20], verdict: "progress", ...more });
const loop = (more: object = {}) => label({ verdict: "loop", onset: 12, interrupt: 13, end: 15, ...more });
const windowOf = (line: string) => parseLabels(line).windows[0]!;
const verdictOf = (line: string, spokeAt: number[]) => scoreWindow(windowOf(line), spokeAt).verdict;

describe("a labelled window", () => {
  it.each([
    { title: "a hit at its onset", line: loop(), spokeAt: [12], verdict: "hit" },
    { title: "a hit at the call after its end", line: loop(), spokeAt: [16], verdict: "hit" },
    { title: "a miss before its onset", line: loop(), spokeAt: [11], verdict: "miss" },
    { title: "a miss two calls after its end", line: loop(), spokeAt: [17], verdict: "miss" },
    { title: "a miss after its end, outside the window", line: loop({ end: 19 }), spokeAt: [20], verdict: "miss" },
    { title: "a miss where nothing was said", line: loop(), spokeAt: [], verdict: "miss" },
    { title: "a hit where a stall was seen", line: loop({ verdict: "stalled" }), spokeAt: [14], verdict: "hit" },
    { title: "a hit anywhere without an onset", line: label({ verdict: "loop" }), spokeAt: [10], verdict: "hit" },
    { title: "a false alarm at its first call", line: label({}), spokeAt: [10], verdict: "false alarm" },
    { title: "a false alarm at its last call", line: label({}), spokeAt: [19], verdict: "false alarm" },
    { title: "quiet before and after it", line: label({}), spokeAt: [9, 20], verdict: "quiet" },
    { title: "a false alarm on polling", line: label({ verdict: "polling" }), spokeAt: [12], verdict: "false alarm" },
  ])("is $title", ({ line, spokeAt, verdict }) => {
    expect(verdictOf(line, spokeAt)).toBe(verdict);
  });

  it("has its delay counted from the call before which to step in, to the first hit", () => {
    expect(scoreWindow(windowOf(loop()), [3, 11, 15, 16]).delay).toBe(2);
    expect(scoreWindow(windowOf(loop()), [12]).delay).toBe(-1);
    expect(scoreWindow(windowOf(loop({ interrupt: null })), [12]).delay).toBeUndefined();
  });

  it("is left out where the judges differ", () => {
    const { windows, disputed } = parseLabels(`${loop({ verdict: "disputed" })}\n\n${loop()}\n`);

    expect({ windows: windows.length, disputed }).toEqual({ windows: 1, disputed: 1 });
  });

  it("is refused with its line where it is none", () => {
    expect(() => parseLabels(`${loop()}\n{"run": "a", "verdict": "loop"}`)).toThrow("labels, line 2");
  });
});

describe("the score", () => {
  const score = (...windows: [line: string, spokeAt: number[]][]) =>
    tally(windows.map(([line, spokeAt]) => scoreWindow(windowOf(line), spokeAt)));

  it("is made of hits, misses and false alarms", () => {
    const { precision, recall, f1, ...counts } = score(
      [loop(), [12]],
      [loop(), [15]],
      [loop(), []],
      [loop(), [17]],
      [label({}), [12]],
      [label({}), []],
    );

    expect({ precision, recall }).toEqual({ precision: 2 / 3, recall: 0.5 });
    expect(f1).toBeCloseTo(4 / 7);
    expect(counts).toEqual({ medianDelay: 0.5, hits: 2, misses: 2, falseAlarms: 1, quiet: 1 });
  });

  it("takes the delay in the middle", () => {
    expect(score([loop(), [12]], [loop(), [13]], [loop(), [16]]).medianDelay).toBe(0);
  });

  it("is nothing where nothing was said", () => {
    expect(score([loop(), []])).toMatchObject({ precision: 0, recall: 0, f1: 0, medianDelay: undefined });
  });

  it("has intervals that hold it, and none wider than needed where all agree", () => {
    const hit = scoreWindow(windowOf(loop()), [12]);
    const mixed = Array.from({ length: 40 }, (_, at) =>
      scoreWindow(windowOf(loop({ run: `${at}` })), at % 4 ? [12] : []),
    );
    const { recall } = bootstrap(mixed, (run) => run);

    expect(bootstrap([hit, hit], (run) => run).recall).toEqual({ low: 1, high: 1 });
    expect(recall.low).toBeGreaterThan(0.5);
    expect(recall.low).toBeLessThan(0.75);
    expect(recall.high).toBeGreaterThan(0.75);
    expect(recall.high).toBeLessThan(1);
    expect(bootstrap(mixed, (run) => run)).toEqual(bootstrap(mixed, (run) => run));
  });

  it("has wider intervals where windows of one task are drawn together", () => {
    const mixed = Array.from({ length: 40 }, (_, at) =>
      scoreWindow(windowOf(loop({ run: `${at}` })), at < 30 ? [12] : []),
    );
    const width = ({ low, high }: { low: number; high: number }) => high - low;

    const byTask = bootstrap(mixed, (run) => `${Math.floor(Number(run) / 10)}`).recall;

    expect(width(byTask)).toBeGreaterThan(width(bootstrap(mixed, (run) => run).recall));
  });
});

const look = step("get_page", { id: 1 }, "a page");
const other = step("write", { id: 2 }, "done");
const third = step("fetch", { id: 3 }, "more");
const bare = (id: number) => call("send", { id });
const fresh = (count: number) => Array.from({ length: count }, (_, at) => bare(100 + at));
const failing = (args: object) => step("lookup", args, `no ${JSON.stringify(args)}`, { error: true });
const changing = (count: number) =>
  Array.from({ length: count }, (_, at) => step("get_page", { id: 1 }, `page ${at}`)).flat();
const alike = (digit: number) => call("fill", { text: `a long text that changes in one place only: ${digit}` });

describe("a published rule", () => {
  it.each<{ title: string; rule: (steps: ReturnType<typeof recordedSteps>) => number[]; events: AgentEvent[] }>([
    { title: "000: a call that follows itself", rule: founding000, events: changing(2) },
    { title: "000: two calls in turn", rule: founding000, events: times(2, [bare(1), bare(2)]) },
    { title: "000: three calls in turn", rule: founding000, events: times(2, [bare(1), bare(2), bare(3)]) },
    { title: "001: three equal calls in a row", rule: founding001, events: changing(3) },
    {
      title: "001: four calls with the same primary arguments",
      rule: founding001,
      events: [1, 2, 3, 4].map((verbosity) => call("search", { query: "x", verbosity })),
    },
    {
      title: "001: four commands that show one file",
      rule: founding001,
      events: ["cat a", "head a", "tail a", "head -n 3 a"].map((command) => call("bash", { command })),
    },
    { title: "002: three equal calls in twenty", rule: founding002, events: [bare(1), bare(1), ...fresh(17), bare(1)] },
    {
      title: "003: two equal calls in the ten before",
      rule: founding003,
      events: [bare(1), bare(1), ...fresh(8), bare(1)],
    },
    {
      title: "003: five calls in turn",
      rule: founding003,
      events: times(2, [bare(1), bare(2), bare(3), bare(4), bare(5)]),
    },
    { title: "004: five equal calls with their result", rule: founding004, events: times(5, look) },
    { title: "gemini-cli: five equal calls", rule: geminiCli, events: changing(5) },
    { title: "gemini-cli: two calls in turn", rule: geminiCli, events: times(5, [bare(1), bare(2)]) },
    { title: "gemini-cli: five calls in turn", rule: geminiCli, events: times(5, fresh(5)) },
    { title: "opencode: three equal calls", rule: opencode, events: changing(3) },
    { title: "OpenHands: four equal calls with their result", rule: openHands, events: times(4, look) },
    { title: "OpenHands: three equal calls with errors", rule: openHands, events: times(3, failing({ id: 1 })) },
    {
      title: "OpenHands: two calls in turn with their results",
      rule: openHands,
      events: times(3, [...look, ...other]),
    },
    { title: "stella: three equal calls with their result", rule: stella, events: times(3, look) },
    {
      title: "stella: three equal calls with others between",
      rule: stella,
      events: [...times(2, [...look, ...other]), ...third, ...look],
    },
    {
      title: "stella: one result of one tool six times",
      rule: stella,
      events: [1, 2, 3, 4, 5, 6].flatMap((id) => step("send", { id }, "no")),
    },
    { title: "hermes: the same call failing twice", rule: hermes, events: times(2, failing({ id: 1 })) },
    { title: "hermes: one tool failing three times", rule: hermes, events: [1, 2, 3].flatMap((id) => failing({ id })) },
    { title: "hermes: one look with the same result twice", rule: hermes, events: times(2, look) },
    { title: "hermes: three equal calls with their result", rule: hermes, events: times(3, other) },
    { title: "hermes: two calls in turn with their results", rule: hermes, events: times(3, [...look, ...other]) },
    { title: "senpi: three equal calls", rule: senpi, events: changing(3) },
    { title: "senpi: six calls in turn", rule: senpi, events: times(3, [1, 2, 3, 4, 5, 6].map(bare)).map(spread) },
    { title: "senpi: five similar calls", rule: senpi, events: [1, 2, 3, 4, 5].map(alike) },
    {
      title: "deer-flow: three equal answers",
      rule: deerFlow,
      events: [...times(2, look), ...times(17, third).map(numbered), ...look],
    },
  ])("speaks at its threshold and not before: $title", ({ rule, events }) => {
    const steps = recordedSteps(events);

    expect(rule(steps)).toEqual([steps.length - 1]);
  });

  it.each<{ title: string; rule: (steps: ReturnType<typeof recordedSteps>) => number[]; events: AgentEvent[] }>([
    {
      title: "001: other primary arguments",
      rule: founding001,
      events: [1, 2, 3, 4].map((offset) => call("read", { offset })),
    },
    {
      title: "002: three equal calls in twenty-one",
      rule: founding002,
      events: [bare(1), bare(1), ...fresh(18), bare(1)],
    },
    { title: "003: three equal calls in twelve", rule: founding003, events: [bare(1), bare(1), ...fresh(9), bare(1)] },
    { title: "004: other results", rule: founding004, events: changing(9) },
    {
      title: "gemini-cli: arguments in another order",
      rule: geminiCli,
      events: times(3, [call("send", { a: 1, b: 2 }), call("send", { b: 2, a: 1 })]).slice(0, 5),
    },
    {
      title: "OpenHands: the user spoke in between",
      rule: openHands,
      events: [...times(2, look), user(), ...times(2, look)],
    },
    {
      title: "stella: a repeated call answered differently",
      rule: stella,
      events: [...look, ...changing(1), ...other, ...look, ...other, ...look],
    },
    {
      title: "hermes: a change between two failures",
      rule: hermes,
      events: [...failing({ id: 1 }), ...other, ...failing({ id: 1 })],
    },
    {
      title: "senpi: similar calls on different files",
      rule: senpi,
      events: [1, 2, 3, 4, 5].map((at) => call("read", { path: `a/long/path/to/one/file-${at}` })),
    },
    {
      title: "deer-flow: three equal answers in twenty-one",
      rule: deerFlow,
      events: [...times(2, look), ...times(18, third).map(numbered), ...look],
    },
    {
      title: "deer-flow: one answer with equal calls",
      rule: deerFlow,
      events: [...times(3, [call("a")]), ...times(3, [result("x")])],
    },
  ])("keeps quiet: $title", ({ rule, events }) => {
    expect(rule(recordedSteps(events))).toEqual([]);
  });
});

/** The same calls of tools that take turns, so that no tool follows itself. */
function spread(event: AgentEvent, at: number): AgentEvent {
  return event.type === "call" ? { ...event, tool: `${event.tool}${at % 6}` } : event;
}

/** The same calls, each with arguments of its own. */
function numbered(event: AgentEvent, at: number): AgentEvent {
  return event.type === "call" ? { ...event, args: { at } } : event;
}

describe("a folder of traces", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "quality-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const write = (name: string, ...runs: object[]): string => {
    const path = join(folder, name);
    writeFileSync(path, runs.map((run) => `${JSON.stringify(run)}\n`).join(""));
    return path;
  };
  /** Goes on until a guard ends it. */
  const circling = times(40, step("read", { path: "a" }, "no such file", { error: true }));
  const looping = { run: "one/loop", task: "t", outcome: "failure", events: circling };
  const working = { run: "one/fine", task: "t", outcome: "success", events: [...look, ...other, ...third] };
  const disturbed = { run: "one/disturbed", task: "u", outcome: "success", events: circling };
  const silent = { run: "two/silent", outcome: "success", events: fresh(4) };

  it("is replayed run by run", async () => {
    const { source, runs, skipped, faults } = await replaySource({
      path: write("one.jsonl", looping, working),
      kind: "recorded",
      preset: "balanced",
    });

    expect({ source, skipped, faults }).toEqual({ source: "one", skipped: 0, faults: 0 });
    expect(runs[0]).toMatchObject({
      run: "one/loop",
      isSuccess: false,
      calls: 40,
      hasResults: true,
      isBlocked: true,
      isStopped: true,
    });
    expect(runs[0]!.spokeAt[OURS]!.length).toBeGreaterThan(0);
    expect(runs[1]).toMatchObject({ run: "one/fine", isSuccess: true, isBlocked: false, isStopped: false });
    expect(runs[1]!.spokeAt[OURS]).toEqual([]);
  });

  it("may hold events that are none", async () => {
    const path = write("one.jsonl", { ...looping, events: [null, "call", ...looping.events] });

    const { runs, skipped } = await replaySource({ path, kind: "recorded", preset: "balanced" });

    expect({ calls: runs[0]!.calls, skipped }).toEqual({ calls: 40, skipped: 2 });
  });

  it("is scored by what a preset reports that never acts", async () => {
    const { runs } = await replaySource({ path: write("one.jsonl", looping), kind: "recorded", preset: "shadow" });

    expect(runs[0]!.spokeAt[OURS]!.length).toBeGreaterThan(0);
    expect(runs[0]).toMatchObject({ isBlocked: false, isStopped: false });
  });

  it("is put before another detector, which is not told how a run ended", async () => {
    const detector = join(folder, "mine.mjs");
    writeFileSync(detector, "export const detect = (run) => ('outcome' in run ? [] : [run.events.length, 2, 2]);");

    const { runs } = await replaySource({
      path: write("one.jsonl", working),
      kind: "recorded",
      preset: "balanced",
      detector,
    });

    expect(runs[0]!.spokeAt.mine).toEqual([2, 6]);
  });

  it("refuses a module that has no detector", async () => {
    const detector = join(folder, "none.mjs");
    writeFileSync(detector, "export const other = 1;");

    await expect(
      replaySource({ path: write("one.jsonl", working), kind: "recorded", preset: "balanced", detector }),
    ).rejects.toThrow("a function named detect is required");
  });

  const judged = async (): Promise<JudgedSource[]> => [
    await replaySource({ path: write("one.jsonl", looping, working, disturbed), kind: "recorded", preset: "balanced" }),
    await replaySource({ path: write("two.jsonl", silent), kind: "recorded", preset: "balanced" }),
  ];
  const labels = parseLabels(
    [
      label({ run: "one/loop", window: [0, 8], verdict: "loop", onset: 1, interrupt: 2, end: 7 }),
      label({ run: "one/fine", window: [0, 3] }),
      label({ run: "two/silent", window: [0, 4] }),
    ].join("\n"),
  );

  it("comes to figures over windows, successes and calls", async () => {
    const { detectors, sources, successes, windows, loops } = measure(await judged(), labels);

    expect({ windows, loops }).toEqual({ windows: 3, loops: 1 });
    expect(detectors[0]).toMatchObject({
      name: OURS,
      score: { precision: 1, recall: 1, quiet: 2 },
      successesAlarmed: 0.5,
    });
    expect(successes).toEqual({ runs: 2, nudged: 0.5, blocked: 0.5, stopped: 0.5 });
    expect(sources.map(({ source, calls, windows: own }) => ({ source, calls, own }))).toEqual([
      { source: "one", calls: 83, own: 2 },
      { source: "two", calls: 4, own: 1 },
    ]);
    expect(sources[0]!.without).toMatchObject({ hits: 0, misses: 0, quiet: 1 });
    expect(sources[1]!.without).toMatchObject({ hits: 1, quiet: 1 });
  });

  it("has sources without results listed apart", async () => {
    const report = recordedToMarkdown(measure(await judged(), labels));

    expect(report).toContain("Sources used for successes: one.");
    expect(report).toContain("| two \\* | 1 | 4 | 1 (0) | 1 |");
  });

  it("is refused where a label's run is missing", async () => {
    expect(() => measure([], labels)).toThrow("3 of 3 labels are of runs that are in no trace file");
  });
});
