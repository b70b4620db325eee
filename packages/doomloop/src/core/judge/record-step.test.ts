import { describe, expect, it } from "vitest";
import { call, judgedBy, newRun, result, round, step, times, user } from "../../../../../test/builders.ts";
import { pack } from "../collections/pack.ts";
import type { AgentEvent } from "../event.ts";
import type { KnownOutcome } from "../memory/known-outcome.ts";
import { settle } from "../memory/run-state.ts";
import { resolveProgress } from "../progress/progress-options.ts";
import { judgeStep } from "./judge-step.ts";
import type { Situation } from "./situation.ts";

const look = step("read_file", { path: "a.ts" }, "export const a = 1;");
const other = step("read_file", { path: "b.ts" }, "something else that nobody has seen");

/** What the run knows of the outcomes of its first call. */
function knownAfter(events: readonly AgentEvent[]): KnownOutcome[] {
  const run = newRun({ progress: { seesResults: true } });
  const [first] = judgedBy(run, events);
  return run.state.byCall.get(first!.step.call)!;
}

describe("judging", () => {
  it("changes nothing that the run remembers", () => {
    const run = newRun({ progress: { seesResults: true } });
    const judged = judgedBy(run, [...times(3, look), ...other, user("go on"), ...look]).at(-1)!;
    settle(run.state);
    const before = JSON.stringify(pack(run.state));
    const situation: Situation = {
      state: run.state,
      step: judged.step,
      rules: { progress: resolveProgress(), rule: {} },
      outcome: undefined,
      blindness: "none",
    };
    judgeStep(situation);

    expect(JSON.stringify(pack(run.state))).toBe(before);
  });
});

describe("recording", () => {
  it("counts from the beginning after a word of the user: what was forgiven and waited for before is past", () => {
    const check = step("get_job", {}, "status: running");
    const [known] = knownAfter([...times(3, check), user("go on"), ...check]);

    expect(known).toMatchObject({ count: 1, indices: [3], forgiven: 0, looks: 0, waitedMs: 0, first: 3, turn: 1 });
  });

  it("goes on waiting for a failure to pass, in whatever words it comes", () => {
    const fail = (words: string, at: number) => [
      call("get_job", {}, { at }),
      result(words, { error: true, at: at + 1 }),
    ];
    const outcomes = knownAfter([...fail("no", 0), ...fail("no", 60_000), ...fail("never: it is not there", 120_000)]);

    expect(outcomes.map(({ first }) => first)).toEqual([0, 0]);
    expect(outcomes.map(({ looks }) => looks)).toEqual([2, 2]);
  });

  it("remembers the rounds of occurrences that were passed over", () => {
    const page = step("read_file", { path: "c.ts" }, "export function quiteLong(): string { return this; }".repeat(3));
    const [known] = knownAfter([round, ...page, round, ...other, round, ...page, ...page]);

    expect(known!.rounds).toEqual([1, 3]);
    expect(known!.passed.map(({ reason }) => reason)).toEqual(["news-in-lap", "same-round"]);
  });

  it("notes whether the run had set something going right before the first check", () => {
    const start = step("start_job", { job: 1 }, "ok");
    const check = step("get_job", { job: 1 }, "no news");
    const run = (events: readonly AgentEvent[]) =>
      knownAfter([...check, ...events, user("go on"), ...events, ...check]);

    expect(run(start)[0]!.isAfterAct).toBe(true);
    expect(run(other)[0]!.isAfterAct).toBe(false);
  });

  it("counts a result that the host made up towards the outcome that the call had last", () => {
    const refused = [call("read_file", { path: "a.ts" }), result("no", { synthetic: true })];

    expect(knownAfter([...times(2, look), ...refused])).toMatchObject([{ count: 3 }]);
  });
});
