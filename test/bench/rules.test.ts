import { describe, expect, it } from "vitest";
import { recordedSteps } from "../../bench/quality/rules/recorded-step.ts";
import {
  deerFlow,
  founding000,
  founding001,
  founding002,
  founding003,
  founding004,
  geminiCli,
  hermes,
  opencode,
  openHands,
  senpi,
  stella,
} from "../../bench/quality/rules/rules.ts";
import type { AgentEvent } from "../../packages/doomloop/src/core/event.ts";
import { call, result, step, times, user } from "../builders.ts";

type Case = readonly [title: string, rule: (steps: ReturnType<typeof recordedSteps>) => number[], events: AgentEvent[]];

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
  it.each<Case>([
    ["000: a call that follows itself", founding000, changing(2)],
    ["000: two calls in turn", founding000, times(2, [bare(1), bare(2)])],
    ["000: three calls in turn", founding000, times(2, [bare(1), bare(2), bare(3)])],
    ["001: three equal calls in a row", founding001, changing(3)],
    [
      "001: four calls with the same primary arguments",
      founding001,
      [1, 2, 3, 4].map((verbosity) => call("search", { query: "x", verbosity })),
    ],
    [
      "001: four commands that show one file",
      founding001,
      ["cat a", "head a", "tail a", "head -n 3 a"].map((command) => call("bash", { command })),
    ],
    ["002: three equal calls in twenty", founding002, [bare(1), bare(1), ...fresh(17), bare(1)]],
    ["003: two equal calls in the ten before", founding003, [bare(1), bare(1), ...fresh(8), bare(1)]],
    ["003: five calls in turn", founding003, times(2, [bare(1), bare(2), bare(3), bare(4), bare(5)])],
    ["004: five equal calls with their result", founding004, times(5, look)],
    ["gemini-cli: five equal calls", geminiCli, changing(5)],
    ["gemini-cli: two calls in turn", geminiCli, times(5, [bare(1), bare(2)])],
    ["gemini-cli: five calls in turn", geminiCli, times(5, fresh(5))],
    ["opencode: three equal calls", opencode, changing(3)],
    ["OpenHands: four equal calls with their result", openHands, times(4, look)],
    ["OpenHands: three equal calls with errors", openHands, times(3, failing({ id: 1 }))],
    ["OpenHands: two calls in turn with their results", openHands, times(3, [...look, ...other])],
    ["stella: three equal calls with their result", stella, times(3, look)],
    ["stella: three equal calls with others between", stella, [...times(2, [...look, ...other]), ...third, ...look]],
    [
      "stella: one result of one tool six times",
      stella,
      [1, 2, 3, 4, 5, 6].flatMap((id) => step("send", { id }, "no")),
    ],
    ["hermes: the same call failing twice", hermes, times(2, failing({ id: 1 }))],
    ["hermes: one tool failing three times", hermes, [1, 2, 3].flatMap((id) => failing({ id }))],
    ["hermes: one look with the same result twice", hermes, times(2, look)],
    ["hermes: three equal calls with their result", hermes, times(3, other)],
    ["hermes: two calls in turn with their results", hermes, times(3, [...look, ...other])],
    ["senpi: three equal calls", senpi, changing(3)],
    ["senpi: six calls in turn", senpi, times(3, [1, 2, 3, 4, 5, 6].map(bare)).map(spread)],
    ["senpi: five similar calls", senpi, [1, 2, 3, 4, 5].map(alike)],
    ["deer-flow: three equal answers", deerFlow, [...times(2, look), ...times(17, third).map(numbered), ...look]],
  ])("speaks at its threshold and not before: %s", (_title, rule, events) => {
    const steps = recordedSteps(events);

    expect(rule(steps)).toEqual([steps.length - 1]);
  });

  it.each<Case>([
    ["001: other primary arguments", founding001, [1, 2, 3, 4].map((offset) => call("read", { offset }))],
    ["002: three equal calls in twenty-one", founding002, [bare(1), bare(1), ...fresh(18), bare(1)]],
    ["003: three equal calls in twelve", founding003, [bare(1), bare(1), ...fresh(9), bare(1)]],
    ["004: other results", founding004, changing(9)],
    [
      "gemini-cli: arguments in another order",
      geminiCli,
      times(3, [call("send", { a: 1, b: 2 }), call("send", { b: 2, a: 1 })]).slice(0, 5),
    ],
    ["OpenHands: the user spoke in between", openHands, [...times(2, look), user(), ...times(2, look)]],
    [
      "stella: a repeated call answered differently",
      stella,
      [...look, ...changing(1), ...other, ...look, ...other, ...look],
    ],
    ["hermes: a change between two failures", hermes, [...failing({ id: 1 }), ...other, ...failing({ id: 1 })]],
    [
      "senpi: similar calls on different files",
      senpi,
      [1, 2, 3, 4, 5].map((at) => call("read", { path: `a/long/path/to/one/file-${at}` })),
    ],
    [
      "deer-flow: three equal answers in twenty-one",
      deerFlow,
      [...times(2, look), ...times(18, third).map(numbered), ...look],
    ],
    ["deer-flow: one answer with equal calls", deerFlow, [...times(3, [call("a")]), ...times(3, [result("x")])]],
  ])("keeps quiet: %s", (_title, rule, events) => {
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
