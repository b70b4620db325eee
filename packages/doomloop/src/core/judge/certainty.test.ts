import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { call, newRun, result, takeCall } from "../../../../../test/builders.ts";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { platform } from "../../platform.ts";
import type { ResultEvent } from "../event.ts";
import { type Outcome, readOutcome } from "../outcome/read-outcome.ts";
import { resolveProgress } from "../progress/progress-options.ts";
import { provesNothingHappened } from "./certainty.ts";
import { momentOf } from "./moment.ts";

const LONG = "an answer of two hundred characters, which tells so much that nobody gives it twice ".repeat(3);
const WORDY = { text: "Please tell me where the invoices of last year are, and who has the key to them." };

/** Whether a call with an outcome is proof; made with a clock if the case has one. */
function isProof(tool: string, args: object, said: Outcome | undefined, hasClock: boolean, isDirect = true): boolean {
  const run = newRun({ progress: { seesResults: true } });
  const step = takeCall(run, call(tool, args, hasClock ? { at: 1000 } : {}));
  step.isSynthetic = said?.isSynthetic === true;
  step.isEmpty = said?.isEmpty === true;
  const moment = momentOf(run.state, step, { progress: resolveProgress(), rule: {} }, said);
  return provesNothingHappened(moment, isDirect);
}

const outcome = (output: unknown, more: Partial<ResultEvent>) => readOutcome(result(output, more), platform, undefined);
const proves = (tool: string, args: object, output: string, more: Partial<ResultEvent> = {}) =>
  isProof(tool, args, outcome(output, more), more.at !== undefined);
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

  it("takes nothing for proof that is a stand-in, or that nobody saw", () => {
    const read = (said: Outcome | undefined) => isProof("read_file", { path: "a.ts" }, said, true);

    expect(read(outcome(LONG, { synthetic: true, ...CLOCK }))).toBe(false);
    expect(read(undefined)).toBe(false);
    expect(read(outcome(LONG, CLOCK))).toBe(true);
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
    const look = (isDirect: boolean) => isProof("take_screenshot", {}, outcome("[image]", CLOCK), true, isDirect);

    expect([look(true), look(false)]).toEqual([true, false]);
  });

  it("needs both times for a clock", () => {
    expect(isProof("get_order", {}, outcome("none", {}), true)).toBe(false);
    expect(isProof("get_order", {}, outcome("none", CLOCK), false)).toBe(false);
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
