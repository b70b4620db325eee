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
  report: fieldsOf<Report>()(
    "version generatedAt generator range includesContent pricesAsOf totals repeated sessions loops possibleLoops advice runs skipped stopped hooks",
  ),
  hooks: fieldsOf<HookTally>()("words questions refusals ends obeyed ignored allowed"),
  advice: fieldsOf<Advice>()("cause title loops sessions repeats paragraph also"),
  repeatedCall: fieldsOf<RepeatedCall>()("what session times reason"),
  amount: fieldsOf<Amount>()("low high isEstimated"),
  totals: fieldsOf<Totals>()(
    "sessions agents sessionsWithLoops calls loops possibleLoops loopsByKind tokens costUsd unpricedSessions afterOnset",
  ),
  session: fieldsOf<SessionSummary>()(
    "id partOf agent agentName project model startedAt endedAt isFileTime calls tokens costUsd costFrom loops possibleLoops",
  ),
  loop: fieldsOf<LoopSummary>()(
    "id session kind tools what count period weight confidence areEqual cause isPossible onset end calls decisions decided uncounted at afterOnset",
  ),
  run: fieldsOf<RunSteps>()("from total steps"),
  step: fieldsOf<ReportStep>()("call tool label same outcome isFailing added reason at arguments output"),
};

type Words<Text extends string> = Text extends `${infer One} ${infer Rest}` ? One | Words<Rest> : Text;

/** The words of a text, which must be the fields of a type, all of them. */
function fieldsOf<Fields>() {
  type Own = Extract<keyof Fields, string>;
  return <Text extends string>(text: [Own, Words<Text>] extends [Words<Text>, Own] ? Text : never): string[] =>
    text.split(" ").sort();
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
