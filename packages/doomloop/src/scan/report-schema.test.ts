import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { step, times, user } from "../../../../test/builders.ts";
import { closeRun } from "./close-run.ts";
import { createPriceList } from "./costs/price-list.ts";
import type {
  Advice,
  Amount,
  HookTally,
  LoopSummary,
  RepeatedCall,
  Report,
  ReportStep,
  RunSteps,
  SessionSummary,
  Totals,
} from "./report/report.ts";
import { createReportBuilder } from "./report-builder.ts";
import { watchRun } from "./watch-run.ts";

interface Schema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema;
  readonly items?: Schema;
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

const schema = JSON.parse(
  readFileSync(new URL("../../schema/report-1.schema.json", import.meta.url), "utf8"),
) as Schema;

/** Every field of the types. The compiler checks that the lists are complete. */
const FIELDS = {
  report: keysOf<Report>({
    version: 1,
    generatedAt: 1,
    generator: 1,
    range: 1,
    includesContent: 1,
    pricesAsOf: 1,
    totals: 1,
    repeated: 1,
    sessions: 1,
    loops: 1,
    possibleLoops: 1,
    advice: 1,
    runs: 1,
    skipped: 1,
    stopped: 1,
    hooks: 1,
  }),
  hooks: keysOf<HookTally>({
    words: 1,
    questions: 1,
    refusals: 1,
    ends: 1,
    obeyed: 1,
    ignored: 1,
    allowed: 1,
  }),
  advice: keysOf<Advice>({ cause: 1, title: 1, loops: 1, sessions: 1, repeats: 1, paragraph: 1, also: 1 }),
  repeatedCall: keysOf<RepeatedCall>({ what: 1, session: 1, times: 1, reason: 1 }),
  amount: keysOf<Amount>({ low: 1, high: 1, isEstimated: 1 }),
  totals: keysOf<Totals>({
    sessions: 1,
    agents: 1,
    sessionsWithLoops: 1,
    calls: 1,
    loops: 1,
    possibleLoops: 1,
    loopsByKind: 1,
    tokens: 1,
    costUsd: 1,
    unpricedSessions: 1,
    afterOnset: 1,
  }),
  session: keysOf<SessionSummary>({
    id: 1,
    partOf: 1,
    agent: 1,
    agentName: 1,
    project: 1,
    model: 1,
    startedAt: 1,
    endedAt: 1,
    isFileTime: 1,
    calls: 1,
    tokens: 1,
    costUsd: 1,
    costFrom: 1,
    loops: 1,
    possibleLoops: 1,
  }),
  loop: keysOf<LoopSummary>({
    id: 1,
    session: 1,
    kind: 1,
    tools: 1,
    what: 1,
    count: 1,
    period: 1,
    weight: 1,
    confidence: 1,
    areEqual: 1,
    cause: 1,
    isPossible: 1,
    onset: 1,
    end: 1,
    calls: 1,
    decisions: 1,
    decided: 1,
    uncounted: 1,
    at: 1,
    afterOnset: 1,
  }),
  run: keysOf<RunSteps>({ from: 1, total: 1, steps: 1 }),
  step: keysOf<ReportStep>({
    call: 1,
    tool: 1,
    label: 1,
    same: 1,
    outcome: 1,
    isFailing: 1,
    added: 1,
    reason: 1,
    at: 1,
    arguments: 1,
    output: 1,
  }),
};

function keysOf<Fields>(keys: Record<keyof Required<Fields>, 1>): string[] {
  return Object.keys(keys).sort();
}

it("describes exactly the fields of the report", () => {
  const { report, ...parts } = FIELDS;

  expect(Object.keys(schema.properties!).sort()).toEqual(report);
  for (const [name, fields] of Object.entries(parts)) {
    expect(Object.keys(schema.$defs![name]!.properties!).sort()).toEqual(fields);
  }
});

it("accepts a report, and rejects one with a field of the wrong type", () => {
  const report = sampleReport();

  expect(report.loops).toHaveLength(1);
  expect(report.loops[0]!.uncounted).toEqual([{ call: 2, reason: "user-spoke" }]);
  expect(report.runs[report.loops[0]!.session]!.steps.length).toBeGreaterThan(3);
  expect(faults(report, schema, "report")).toEqual([]);
  expect(faults({ ...report, totals: { ...report.totals, calls: "7" } }, schema, "report")).toEqual([
    "report.totals.calls",
  ]);
  expect(faults({ ...report, loops: [{}] }, schema, "report").length).toBeGreaterThan(5);
});

function sampleReport(): Report {
  const watch = watchRun("run", { guardOptions: {}, keepsAll: false, includesContent: true });
  const again = times(6, step("read_file", { path: "a.ts" }, "no such file", { error: true }));
  for (const event of [...again.slice(0, 2), user("go on"), ...again]) watch.observe(event, 1_000);
  const record = closeRun(watch, "trace", { prices: createPriceList(), tokensPerCharacter: 0.25 });
  const builder = createReportBuilder({
    version: "1.0.0",
    preset: "balanced",
    since: undefined,
    until: undefined,
    includesContent: true,
    pricesAsOf: "2026-01-01",
    hasSteps: true,
    hooks: { words: 3, questions: 0, refusals: 2, ends: 1, obeyed: 2, ignored: 1, allowed: 0 },
    accepts: () => true,
  });
  const steps = { 0: { total: record.calls, steps: watch.window.finish() } };
  builder.add(
    { path: "a.jsonl", size: 1, modifiedMs: 1 },
    { agent: "trace", runs: [record], steps, skippedLines: 0, longLines: 0, fault: null },
  );
  return JSON.parse(JSON.stringify(builder.build(0))) as Report;
}

/** The paths at which a value does not match a schema. Supports only the parts of JSON Schema that ours uses. */
function faults(value: unknown, rule: Schema, path: string): string[] {
  if (rule.$ref !== undefined) return faults(value, schema.$defs![rule.$ref.split("/").at(-1)!]!, path);
  if (rule.const !== undefined) return value === rule.const ? [] : [path];
  if (rule.enum !== undefined) return rule.enum.includes(value) ? [] : [path];
  if (![rule.type].flat().includes(typeOf(value, rule.type))) return [path];
  if (Array.isArray(value)) return value.flatMap((item, at) => faults(item, rule.items!, `${path}[${at}]`));
  if (typeof value !== "object" || value === null) return [];
  const missing = (rule.required ?? []).filter((key) => !(key in value)).map((key) => `${path}.${key}`);
  const wrong = Object.entries(value).flatMap(([key, field]) => {
    const own = rule.properties?.[key] ?? rule.additionalProperties;
    return own === undefined ? [`${path}.${key}`] : faults(field, own, `${path}.${key}`);
  });
  return [...missing, ...wrong];
}

function typeOf(value: unknown, wanted: Schema["type"]): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (Number.isInteger(value) && [wanted].flat().includes("integer")) return "integer";
  return typeof value;
}
