import fc from "fast-check";
import { expect, it } from "vitest";
import { result, round } from "../../../../test/builders.ts";
import { propertyRuns } from "../../../../test/property-runs.ts";
import { call } from "../testing/index.ts";
import { closeRun } from "./close-run.ts";
import { countOnce } from "./count-once.ts";
import { sumAmounts } from "./report/amounts.ts";
import { createReportBuilder } from "./report-builder.ts";
import type { FileRecord, RunRecord } from "./run-record.ts";
import { watchRun } from "./watch-run.ts";

const TOKENS = { inputTokens: 60, outputTokens: 40 };

interface Session {
  /** The ids of its answers, each with one failing call. Ids that begin with `new` each do something different, and `ask`
   * is a message of the user. */
  readonly answers: readonly string[];
  readonly start?: number;
}

/** What a scan keeps of a session. */
function record(name: string, { answers, start = 1_000 }: Session): RunRecord {
  const watch = watchRun(name, { guardOptions: {}, keepsAll: false, includesContent: false });
  answers.forEach((id, at) => {
    const time = start + at;
    if (id === "ask") {
      watch.observe({ type: "user", text: "And now?" }, time);
      return;
    }
    watch.observe(round, time);
    watch.observe(call("Bash", { command: isFresh(id) ? `cat ${id}.ts` : "npm test" }, { id }), time);
    watch.addUsage({ id, ...TOKENS });
    if (isFresh(id)) watch.observe(result(`This is what ${id} holds.`, { id }), time);
    else watch.observe(result("1 test failed", { id, error: true }), time);
  });
  return closeRun(watch, "claude-code", { prices: undefined, tokensPerCharacter: undefined });
}

function reportOf(files: Readonly<Record<string, RunRecord>>, order = Object.keys(files)) {
  const builder = createReportBuilder({
    ...{ version: "", preset: "", since: undefined, until: undefined, includesContent: false, pricesAsOf: null },
    hasSteps: false,
    accepts: () => true,
  });
  for (const path of order) {
    const kept: FileRecord = {
      agent: "claude-code",
      runs: [files[path]!],
      steps: {},
      skippedLines: 0,
      longLines: 0,
      fault: null,
    };
    // As it comes from the cache.
    builder.add({ path, size: 1, modifiedMs: 1 }, JSON.parse(JSON.stringify(kept)) as FileRecord);
  }
  const report = builder.build(0);
  const { totals, sessions, loops } = report;
  expect(sumAmounts(sessions.map(({ tokens }) => tokens))).toEqual(totals.tokens);
  expect(sumAmounts(loops.map(({ afterOnset }) => afterOnset.tokens))?.high ?? 0).toBe(totals.afterOnset.tokens?.high);
  return report;
}

const names = (from: number, to: number, word = "m"): string[] =>
  Array.from({ length: to - from }, (_, at) => `${word}${from + at}`);

function isFresh(answer: string): boolean {
  return answer.startsWith("new");
}

it("takes a session that was resumed in another file for one, with the work of both", () => {
  const original = record("original", { answers: names(0, 8) });
  const resumed = record("resumed", { answers: [...names(0, 8), ...names(0, 4, "new")] });
  const report = reportOf({ "a.jsonl": original, "b.jsonl": resumed });
  const { totals, loops, sessions } = report;

  expect(totals).toMatchObject({ sessions: 1, agents: 1, calls: 12, loops: 1, sessionsWithLoops: 1 });
  expect(totals.tokens).toEqual({ low: 1200, high: 1200, isEstimated: false });
  expect(totals.afterOnset.calls).toBe(original.afterOnset.calls);
  expect(sessions).toMatchObject([{ id: loops[0]!.session, calls: 12, loops: 1 }]);
});

it("counts a loop that goes on in the resumed session once, there", () => {
  const files = {
    "a.jsonl": record("original", { answers: names(0, 8) }),
    "b.jsonl": record("resumed", { answers: names(0, 16) }),
  };
  const { loops, sessions, advice } = reportOf(files);

  expect(loops).toMatchObject([{ count: 16, onset: 1, end: 16, session: sessions[0]!.id }]);
  expect(sessions).toMatchObject([{ calls: 16 }]);
  expect(advice).toMatchObject([{ loops: 1, sessions: 1, repeats: 16 }]);
});

it("counts what two forks share once, and what each adds", () => {
  const files = {
    "a.jsonl": record("one", { answers: [...names(0, 4), "ask", ...names(0, 9, "new")] }),
    "b.jsonl": record("other", { answers: [...names(0, 4), "ask", ...names(4, 9)] }),
  };
  const { totals, sessions } = reportOf(files);

  expect(totals).toMatchObject({ sessions: 2, calls: 18 });
  expect(sessions.map(({ calls }) => calls).sort()).toEqual([13, 5]);
});

it("counts of a loop that goes on in two forks each call once", () => {
  const files = {
    "a.jsonl": record("one", { answers: [...names(0, 8), ...names(0, 8, "one")] }),
    "b.jsonl": record("other", { answers: [...names(0, 8), ...names(0, 6, "other")] }),
    "c.jsonl": record("third", { answers: [...names(0, 8), "third"] }),
  };
  const { loops, sessions, totals } = reportOf(files);

  expect(loops.map(({ count, onset, end }) => [count, onset, end])).toEqual([
    [16, 1, 16],
    [6, 9, 14],
  ]);
  expect(loops[1]!.decisions.every(({ call }) => call > 8)).toBe(true);
  expect(sessions.map(({ calls }) => calls).sort()).toEqual([1, 16, 6]);
  expect(totals).toMatchObject({ sessions: 3, sessionsWithLoops: 2, calls: 23 });
});

it("gives the subagents of a session that was resumed to the one that goes on", () => {
  const original = record("original", { answers: names(0, 8) });
  const sub = { ...record("sub", { answers: names(0, 3, "newsub") }), parent: "original" };
  const files = { "a.jsonl": original, "sub.jsonl": sub, "b.jsonl": record("resumed", { answers: names(0, 16) }) };
  const { totals, sessions } = reportOf(files);

  expect(totals).toMatchObject({ sessions: 1, agents: 2 });
  expect(sessions.find(({ partOf }) => partOf !== null)!.partOf).toBe(
    sessions.find(({ partOf }) => partOf === null)!.id,
  );
});

it("leaves out a session that is a complete copy", () => {
  const run = record("original", { answers: names(0, 8) });
  const { totals } = reportOf({ "a.jsonl": run, "backup/a.jsonl": run });

  expect(totals).toMatchObject({ sessions: 1, calls: 8, loops: 1 });
});

it("gives the same result in whatever order the files finish", () => {
  const files = {
    "b.jsonl": record("same", { answers: names(0, 8) }),
    "a.jsonl": record("same", { answers: [...names(0, 8), ...names(8, 12, "x")] }),
    "c.jsonl": record("same", { answers: [...names(0, 8), ...names(8, 20, "y")] }),
  };
  const report = reportOf(files);

  expect(reportOf(files, ["c.jsonl", "a.jsonl", "b.jsonl"])).toEqual(report);
  expect(report.totals.tokens?.high).toBe(2400);
});

it("does not treat answers as copies if they only share an id, in one session or in two", () => {
  const same = Array.from({ length: 8 }, () => "chatcmpl-0");
  const one = record("one", { answers: same });
  const watch = watchRun("two", { guardOptions: {}, keepsAll: false, includesContent: false });
  watch.observe(round, 1);
  watch.addUsage({ id: "chatcmpl-0", inputTokens: 7, outputTokens: 1 });
  const two = closeRun(watch, "claude-code", { prices: undefined, tokensPerCharacter: undefined });

  expect(reportOf({ "a.jsonl": one, "b.jsonl": two }).totals.tokens?.high).toBe(808);
});

const LENGTH = 12;
const LOOPING = record("one", { answers: names(0, 8) });

/**
 * A run whose answers have these ids, and each used one call and as many tokens and cents. Loops are ranges of answers.
 */
function crafted(numbers: readonly number[], spans: readonly (readonly [number, number])[]): RunRecord {
  const stretches = spans.map(([one, other]) => {
    const [from, to] = [Math.min(one, other), Math.max(one, other)];
    return { spokeAfter: from, refusedAfter: Math.min(from + 2, to), lastAnswer: to, spokeAt: from, end: to };
  });
  const answers = {
    ids: numbers.map((number) => number.toString(16).padStart(12, "0")).join(""),
    calls: numbers.map(() => 1),
    tokens: numbers,
    costUsd: numbers.map((number) => number / 100),
  };
  const unknown = { calls: 0, tokens: null, costUsd: null };
  const loops = stretches.map((stretch) => ({ ...LOOPING.loops[0]!, ...stretch }));
  return { ...LOOPING, calls: numbers.length, answers, loops, afterOnset: unknown };
}

it("adds up, whatever the runs share and however their loops overlap", () => {
  const place = fc.nat(LENGTH - 1);
  const run = fc.tuple(
    fc.uniqueArray(fc.integer({ min: 1, max: 30 }), { minLength: LENGTH, maxLength: LENGTH }),
    fc.array(fc.tuple(place, place), { maxLength: 4 }),
  );
  fc.assert(
    fc.property(fc.array(run, { minLength: 2, maxLength: 4 }), (runs) => {
      // The first run has the odd ids, so all others lose them.
      const all = crafted(
        Array.from({ length: 15 }, (_, at) => 2 * at + 1),
        [],
      );
      const counted = countOnce([all, ...runs.map(([numbers, spans]) => crafted(numbers, spans))]).slice(1);
      const even = new Set(runs.flatMap(([numbers]) => numbers).filter((number) => number % 2 === 0));

      expect(counted.reduce((sum, one) => sum + (one?.calls ?? 0), 0)).toBe(even.size);
      expect(sumAmounts(counted.map((one) => one?.tokens ?? null))?.high ?? 0).toBe(
        [...even].reduce((a, b) => a + b, 0),
      );
      for (const one of counted) {
        if (one === undefined) continue;
        const parts = one.loops.map(({ afterOnset }) => afterOnset);
        const zero = { low: 0, high: 0, isEstimated: false };

        expect(parts.reduce((sum, { calls }) => sum + calls, 0)).toBe(one.afterOnset.calls);
        expect(sumAmounts([zero, ...parts.map(({ tokens }) => tokens)])).toEqual(one.afterOnset.tokens);
        expect(sumAmounts([zero, ...parts.map(({ costUsd }) => costUsd)])).toEqual(one.afterOnset.costUsd);
        expect(one.afterOnset.costUsd!.high).toBeLessThanOrEqual(one.costUsd!.high);
      }
    }),
    { numRuns: Math.ceil(propertyRuns() / 5) },
  );
});
