import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { call, newRun, result } from "../../../../../test/builders.ts";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { platform } from "../../platform.ts";
import type { ResultEvent } from "../event.ts";
import { readOutcome } from "../identity/outcome.ts";
import type { OpenCall } from "../memory/open-calls.ts";
import { provesNothingHappened } from "./certainty.ts";

const LONG = "an answer of two hundred characters, which tells so much that nobody gives it twice ".repeat(3);
const WORDY = { text: "Please tell me where the invoices of last year are, and who has the key to them." };

/** A call that was just made; with a clock if the case has one. */
function opened(tool: string, args: object, hasClock: boolean): OpenCall {
  const moved = newRun({ progress: { seesResults: true } }).take(call(tool, args, hasClock ? { at: 1000 } : {}));
  if (moved.kind !== "call") throw new Error("no call");
  return moved.call;
}

const outcome = (output: unknown, more: Partial<ResultEvent>) => readOutcome(result(output, more), platform, undefined);
const proves = (tool: string, args: object, output: string, more: Partial<ResultEvent> = {}) =>
  provesNothingHappened(opened(tool, args, more.at !== undefined), outcome(output, more), undefined, true);
const CLOCK = { at: 1200 };

describe("provesNothingHappened", () => {
  it.each<[string, string, object, string, Partial<ResultEvent>]>([
    ["a failure", "send", {}, "no", { error: true }],
    [
      "a failure because somebody is busy, where there is a clock",
      "send",
      {},
      "database is locked",
      { error: true, ...CLOCK },
    ],
    ["an answer that tells much, of a call that acts", "send", {}, LONG, {}],
    ["the answer of a look, where there is a clock", "get_order", {}, "none", CLOCK],
    ["the answer of a command that looks", "bash", { command: "git status" }, "clean", {}],
    ["the answer of a file read", "read_file", { path: "a.ts" }, "a", {}],
    ["the answer to words of some length", "send", WORDY, "ok", {}],
    ["a state, where there is a clock", "get_job", {}, "status: up", CLOCK],
  ])("takes %s for proof", (_what, tool, args, output, more) => {
    expect(proves(tool, args, output, more)).toBe(true);
  });

  it.each<[string, string, object, string, Partial<ResultEvent>]>([
    ["a failure because somebody is busy, without a clock", "send", {}, "database is locked", { error: true }],
    ["the answer of a look without a clock", "get_order", {}, "none", {}],
    ["the silence of a call that acts, clock or not", "send", {}, "", CLOCK],
    ["the answer of a tool that nobody knows", "frobnicate", {}, "ok", CLOCK],
    ["the answer of a command that acts", "bash", { command: "touch a" }, "touched", {}],
    ["a state without a clock", "bash", { command: "git status" }, "status: up", {}],
    ["the answer to a few words", "send", { text: "where are they" }, "ok", {}],
  ])("does not take %s for proof", (_what, tool, args, output, more) => {
    expect(proves(tool, args, output, more)).toBe(false);
  });

  it("takes nothing for proof that is a stand-in, that nobody saw, or that was waited for", () => {
    const open = opened("read_file", { path: "a.ts" }, true);

    expect(provesNothingHappened(open, outcome(LONG, { synthetic: true, ...CLOCK }), undefined, true)).toBe(false);
    expect(provesNothingHappened(open, undefined, undefined, true)).toBe(false);
    expect(provesNothingHappened(open, outcome(LONG, CLOCK), "timed", true)).toBe(false);
    expect(provesNothingHappened(open, outcome(LONG, CLOCK), "told", true)).toBe(false);
    expect(provesNothingHappened(open, outcome(LONG, CLOCK), undefined, true)).toBe(true);
  });

  it("takes two hundred characters of an act for much, and one less for an acknowledgement", () => {
    expect(proves("send", {}, "x".repeat(200))).toBe(true);
    expect(proves("send", {}, "x".repeat(199))).toBe(false);
  });

  it("takes a hundred characters of a look for much where there is no clock", () => {
    expect(proves("get_order", {}, "x".repeat(100))).toBe(true);
    expect(proves("get_order", {}, "x".repeat(99))).toBe(false);
  });

  it("takes a look that shows hardly anything for proof only where nothing lies between", () => {
    const look = opened("take_screenshot", {}, true);

    expect(provesNothingHappened(look, outcome("[image]", CLOCK), undefined, true)).toBe(true);
    expect(provesNothingHappened(look, outcome("[image]", CLOCK), undefined, false)).toBe(false);
  });

  it("needs both times for a clock", () => {
    expect(provesNothingHappened(opened("get_order", {}, true), outcome("none", {}), undefined, true)).toBe(false);
    expect(provesNothingHappened(opened("get_order", {}, false), outcome("none", CLOCK), undefined, true)).toBe(false);
  });

  it("takes for proof with a clock whatever is one without", () => {
    const property = fc.property(
      fc.constantFrom("send", "get_order", "read_file", "frobnicate", "click", "bash"),
      fc.constantFrom<object>({}, WORDY, { path: "a.ts" }, { command: "ls" }, { command: "rm a" }),
      fc.constantFrom("", "ok", "status: up", "database is locked", LONG),
      fc.boolean(),
      (tool, args, output, error) => {
        if (proves(tool, args, output, { error })) expect(proves(tool, args, output, { error, ...CLOCK })).toBe(true);
      },
    );
    fc.assert(property, { numRuns: propertyRuns() });
  });
});
