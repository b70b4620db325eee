import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { call, failure, newRun, type RunSettings, result, round, step, user } from "../../../../../test/builders.ts";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { pack, unpack } from "../collections/pack.ts";
import type { AgentEvent } from "../event.ts";
import { createRunState, hasLearnedSince, noteNews, type RunState } from "./run-state.ts";

/** Whether the latest of some events taught the run something. */
function isNews(before: readonly AgentEvent[], latest: readonly AgentEvent[], settings: RunSettings = {}): boolean {
  const run = newRun(settings);
  for (const event of before) run.take(event);
  const { round: since } = run.state;
  for (const event of latest) run.take(event);
  return hasLearnedSince(run.state, since);
}

const read = step("read_file", { path: "a.ts" }, "export const a = 1;");

describe("news", () => {
  it.each<[string, AgentEvent[], AgentEvent[]]>([
    ["the first answer of all", [], read],
    ["an answer that no step had", read, step("read_file", { path: "b.ts" }, "import { a } from 'a';")],
    ["another answer of a call that was made before", read, step("read_file", { path: "a.ts" }, "export const b = 2;")],
    [
      "an answer that says one thing more",
      read,
      step("read_file", { path: "b.ts" }, "export const a = 1;\nexport const c = 3;"),
    ],
  ])("is %s", (_what, before, latest) => {
    expect(isNews(before, latest)).toBe(true);
  });

  it.each<[string, AgentEvent[], AgentEvent[]]>([
    ["the same answer to the same call", read, read],
    ["the answer of another call", read, step("bash", { command: "cat a.ts" }, "export const a = 1;")],
    ['"Clicked" for the second time', step("click", { on: "a" }, "Clicked"), step("click", { on: "b" }, "Clicked")],
    ["a failure", [], [call("bash", { command: "make" }), failure("no rule to make target")]],
    ["silence", [], step("bash", { command: "true" }, "")],
    ["a stand-in", [], [call("bash", { command: "make" }), result("was not run", { synthetic: true })]],
    ["a word of the user", [], [user("go on")]],
  ])("is not %s", (_what, before, latest) => {
    expect(isNews(before, latest)).toBe(false);
  });

  it("is not what differs from an earlier answer in a time only", () => {
    const health = (service: string, at: string) => step("get", { service }, `all systems are up, measured at ${at}`);

    expect(isNews(health("web", "10:00:01"), health("mail", "10:00:02"))).toBe(false);
    expect(isNews(health("web", "10:00:01"), step("get", { service: "mail" }, "one system is down"))).toBe(true);
  });

  it("is not what repeats the words of the question", () => {
    const page = (line: string) =>
      `The register of all the people who ever lived in town\n${line}\nEnd of the register`;
    const find = (name: string, line = `nobody of the name ${name} lives here`) => step("find", { name }, page(line));

    expect(isNews(find("Anna"), find("Carl"))).toBe(false);
    expect(isNews(find("Anna"), find("Carl", "he of the name Carl lives here"))).toBe(true);
  });

  it("is a new call where nobody sees what comes of it", () => {
    const settings: RunSettings = { progress: { seesResults: false } };

    expect(isNews([round, call("click", { on: "a" }), round], [call("click", { on: "b" })], settings)).toBe(false);
    expect(isNews([round, call("click", { on: "a" })], [round, call("click", { on: "b" })], settings)).toBe(true);
    expect(isNews([round, call("click", { on: "a" })], [round, call("click", { on: "a" })], settings)).toBe(false);
  });
});

describe("noteNews", () => {
  // The runs have no history: their news cannot be compared any more.
  const note = ({ news }: RunState, at: number, outcome: string) => noteNews(news, { index: at, round: at }, outcome);

  it("tells whether news came in a later round, not in the same one", () => {
    const run = createRunState();
    note(run, 3, "one");

    expect([2, 3, 4].map((since) => hasLearnedSince(run, since))).toEqual([true, false, false]);
  });

  it("takes what was seen for seen, also where it is no candidate any more", () => {
    const run = createRunState();
    note(run, 1, "one");
    run.news.candidates = [];
    note(run, 2, "one");
    expect(hasLearnedSince(run, 0)).toBe(false);
    note(run, 3, "two");

    expect(hasLearnedSince(run, 0)).toBe(true);
  });

  it("goes on from where it was saved, in bounded memory", () => {
    const run = createRunState();
    for (let at = 0; at < 500; at++) note(run, at, `outcome ${at}`);
    const resumed = unpack(JSON.parse(JSON.stringify(pack(run)))) as RunState;
    note(resumed, 500, "outcome 499");

    expect([run.news.seen.size, run.news.candidates.length]).toEqual([96, 24]);
    expect([498, 499].map((since) => hasLearnedSince(resumed, since))).toEqual([true, false]);
  });

  it("comes exactly with what was not there before", () => {
    const property = fc.property(fc.array(fc.nat(6), { maxLength: 30 }), (outcomes) => {
      const run = createRunState();
      outcomes.forEach((outcome, at) => {
        note(run, at, `outcome ${outcome}`);
        expect(hasLearnedSince(run, at - 1)).toBe(outcomes.indexOf(outcome) === at);
      });
    });
    fc.assert(property, { numRuns: propertyRuns() });
  });
});
