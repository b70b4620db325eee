import { expect, it } from "vitest";
import { result, round } from "../../../../../test/builders.ts";
import { call } from "../../testing/index.ts";
import { createClaimedIds } from "./claimed-ids.ts";
import { closeRun } from "./close-run.ts";
import { createReportBuilder } from "./report-builder.ts";
import type { FileRecord, RunRecord } from "./run-record.ts";
import { watchRun } from "./watch-run.ts";

const TOKENS = { inputTokens: 60, outputTokens: 40 };

interface Session {
  /** The names of its answers, each with one call that fails; those that begin with `new` do something else each. */
  readonly answers: readonly string[];
  readonly start?: number;
}

/** What a scan keeps of a session. */
function record(name: string, { answers, start = 1_000 }: Session): RunRecord {
  const watch = watchRun(name, { guardOptions: {}, keepsAll: false, includesContent: false });
  answers.forEach((id, at) => {
    const time = start + at;
    watch.observe(round, time);
    watch.observe(call("Bash", { command: isFresh(id) ? `cat ${id}.ts` : "npm test" }, { id }), time);
    watch.addUsage({ id, ...TOKENS });
    if (isFresh(id)) watch.observe(result(`This is what ${id} holds.`, { id }), time);
    else watch.observe(result("1 test failed", { id, error: true }), time);
  });
  return closeRun(watch, "claude-code", { prices: undefined, tokensPerCharacter: undefined })[0];
}

function reportOf(files: Readonly<Record<string, RunRecord>>, order = Object.keys(files)) {
  const builder = createReportBuilder({
    version: "",
    preset: "",
    since: undefined,
    until: undefined,
    includesContent: false,
    pricesAsOf: null,
    hasSteps: false,
    accepts: () => true,
  });
  for (const path of order) {
    const kept: FileRecord = { agent: "claude-code", runs: [files[path]!], steps: {}, skippedLines: 0, fault: null };
    // As the cache gives it back.
    builder.add({ path, size: 1, modifiedMs: 1 }, JSON.parse(JSON.stringify(kept)) as FileRecord);
  }
  return builder.build(0);
}

const names = (from: number, to: number, word = "m"): string[] =>
  Array.from({ length: to - from }, (_, at) => `${word}${from + at}`);

it("counts the tokens, calls and loops once that a forked session repeats", () => {
  const original = record("original", { answers: names(0, 8) });
  const fork = record("fork", { answers: [...names(0, 8), ...names(0, 4, "new")] });
  const { totals, loops, sessions } = reportOf({ "a.jsonl": original, "b.jsonl": fork });

  expect(totals).toMatchObject({ sessions: 2, calls: 12, loops: 1, sessionsWithLoops: 1 });
  expect(totals.tokens).toEqual({ low: 1200, high: 1200, isEstimated: false });
  expect(totals.afterOnset.calls).toBe(original.afterOnset.calls);
  expect(sessions.find(({ id }) => id !== loops[0]!.session)).toMatchObject({ calls: 4, loops: 0 });
});

function isFresh(answer: string): boolean {
  return answer.startsWith("new");
}

it("counts a loop that goes on in a fork from where the copies end", () => {
  const files = {
    "a.jsonl": record("original", { answers: names(0, 8) }),
    "b.jsonl": record("fork", { answers: names(0, 12) }),
  };
  const { loops, totals } = reportOf(files);

  expect(loops.map(({ afterOnset }) => [afterOnset.calls, afterOnset.tokens?.high]).sort()).toEqual([
    [4, 400],
    [5, 500],
  ]);
  expect(totals.afterOnset.tokens?.high).toBe(900);
});

it("leaves out a session that is a copy from end to end", () => {
  const run = record("original", { answers: names(0, 8) });
  const { totals } = reportOf({ "a.jsonl": run, "backup/a.jsonl": run });

  expect(totals).toMatchObject({ sessions: 1, calls: 8, loops: 1 });
});

it("says the same whatever the order in which files are done", () => {
  const files = {
    "b.jsonl": record("same", { answers: names(0, 8) }),
    "a.jsonl": record("same", { answers: [...names(0, 8), ...names(8, 12, "x")] }),
    "c.jsonl": record("same", { answers: [...names(0, 8), ...names(8, 20, "y")] }),
  };
  const report = reportOf(files);

  expect(reportOf(files, ["c.jsonl", "a.jsonl", "b.jsonl"])).toEqual(report);
  expect(report.totals.tokens?.high).toBe(2400);
});

it("does not take answers for copies that only share a name, in one session or in two", () => {
  const same = Array.from({ length: 8 }, () => "chatcmpl-0");
  const one = record("one", { answers: same });
  const watch = watchRun("two", { guardOptions: {}, keepsAll: false, includesContent: false });
  watch.observe(round, 1);
  watch.addUsage({ id: "chatcmpl-0", inputTokens: 7, outputTokens: 1 });
  const [two] = closeRun(watch, "claude-code", { prices: undefined, tokensPerCharacter: undefined });

  expect(reportOf({ "a.jsonl": one, "b.jsonl": two }).totals.tokens?.high).toBe(808);
});

it("remembers as many ids as it has room for, and knows no others", () => {
  const ids = createClaimedIds(10_000);
  for (let id = 1; id <= 20_000; id++) ids.add(id * 7919);

  expect([1, 5_000, 10_000].map((id) => ids.has(id * 7919))).toEqual([true, true, true]);
  expect([10_001, 20_000].map((id) => ids.has(id * 7919))).toEqual([false, false]);
  expect(ids.has(3)).toBe(false);
});
