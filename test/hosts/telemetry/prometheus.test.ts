import { createServer, type Server } from "node:http";
import { resolve } from "node:path";
import { PrometheusExporter } from "@opentelemetry/exporter-prometheus";
import { MeterProvider } from "@opentelemetry/sdk-metrics";
import { type AgentEvent, createGuard, type Guard, type GuardOptions } from "doomloop";
import { createMemoryFleet } from "doomloop/fleet";
import { guardWith, secondOpinion } from "doomloop/opinion";
import { createTelemetry } from "doomloop/telemetry";
import { round, step, times } from "doomloop/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { QUICK } from "../../contracts/adapter-scripts.ts";
import { dashboardExpressions, documentedAttributes, documentedMetrics } from "../../telemetry/documented.ts";
import { eventually, hasPrometheus, type PrometheusServer, startPrometheus } from "./prometheus-server.ts";

const ALERTS = resolve(import.meta.dirname, "../../../deploy/prometheus-alerts.yml");
const SECRET = "sk-do-not-export";
const LAP: readonly AgentEvent[] = [round, ...step("read_file", { path: SECRET }, "no such file", { error: true })];
const CYCLE = [
  round,
  ...step("list_files", { path: SECRET }, "1"),
  round,
  ...step("read_text_file", { path: "a" }, "2"),
];
const STRANGE = [round, ...step(`tool ${SECRET}`, {}, "no", { error: true })];
const WORK = Array.from({ length: 8 }, (_, at) => [round, ...step("search", { query: `${at}` }, `hit ${at}`)]).flat();

/** The guard asks about these pages. */
const BLANK = Array.from({ length: 9 }, (_, page) => [
  round,
  ...step("read_page", { page }, "This page is blank."),
]).flat();

const isInstalled = hasPrometheus();
if (!isInstalled) {
  process.stderr.write("Skipped: metrics scraped by Prometheus. `apt-get install prometheus` brings it.\n");
}

describe.skipIf(!isInstalled)("metrics in a real Prometheus", () => {
  let exporter: PrometheusExporter;
  let endpoint: Server;
  let prometheus: PrometheusServer;

  beforeAll(async () => {
    exporter = new PrometheusExporter({ preventServerStart: true });
    const provider = new MeterProvider({ readers: [exporter] });
    endpoint = createServer((request, response) => exporter.getMetricsRequestHandler(request, response));
    await new Promise<void>((done) => endpoint.listen(0, "127.0.0.1", done));
    swarm(provider);
    prometheus = await startPrometheus((endpoint.address() as { port: number }).port, ALERTS);
    const isScraped = () => value("doomloop_runs_total").catch(() => undefined);
    expect(await eventually(120_000, isScraped), "the first scrape").toBe(6);
  });

  afterAll(async () => {
    await prometheus?.stop();
    await exporter?.shutdown();
    endpoint?.closeAllConnections();
    endpoint?.close();
  });

  /** The sum of what an expression yields; undefined if it yields nothing. */
  async function value(expression: string): Promise<number | undefined> {
    const samples = await query(`sum(${expression})`);
    return samples[0] === undefined ? undefined : Number(samples[0].value[1]);
  }

  async function query(expression: string): Promise<{ metric: Record<string, string>; value: [number, string] }[]> {
    const { result } = (await prometheus.ask("query", { query: expression })) as {
      result: { metric: Record<string, string>; value: [number, string] }[];
    };
    return result;
  }

  it("have the names that are documented, all of them and no others", async () => {
    const names = (await prometheus.ask("label/__name__/values")) as string[];
    const own = names
      .filter((name) => name.startsWith("doomloop_"))
      .map((name) => name.replace(/_(bucket|sum|count)$/, ""));

    expect([...new Set(own)].sort()).toEqual(documentedMetrics().toSorted());
  });

  it.each([
    ["doomloop_runs_looping_total", 4],
    ["doomloop_calls_total", 6 + 11 + 6 + 3 + 9 + 4],
    ['doomloop_findings_total{doomloop_finding_kind="repeated-call",gen_ai_tool_name="read_file"}', 5],
    ['doomloop_findings_total{gen_ai_tool_name="other"}', 1],
    ['doomloop_decisions_total{doomloop_decision_action="stop"}', 1],
    ['doomloop_nudges_settled_total{doomloop_nudge_outcome="obeyed"}', 1],
    ['doomloop_nudges_settled_total{doomloop_nudge_outcome="ignored"}', 2 + 1],
    ["doomloop_onset_calls_total", 4],
    ['doomloop_onset_tokens_total{gen_ai_token_type="input"}', 400],
    ['doomloop_fleet_state{doomloop_fleet_state="degraded"}', 1],
    ['doomloop_fleet_state{doomloop_fleet_state="connected"}', 0],
    ["doomloop_fleet_dead_ends", 1],
    ['doomloop_fleet_reports_total{doomloop_flush_outcome="timeout"}', 12],
    ["doomloop_fleet_flush_duration_count", 2],
    ['doomloop_fleet_flush_duration_bucket{le="0.005"}', 1],
  ])("answer a query with what happened: %s", async (expression, expected) => {
    expect(await value(expression)).toBe(expected);
  });

  it("carry the attributes that are documented, and nothing that a run, an argument or a stranger wrote", async () => {
    const series = (await prometheus.ask("series", { "match[]": '{__name__=~"doomloop_.*"}' })) as Record<
      string,
      string
    >[];
    const known = ["__name__", "instance", "job", "le", "otel_scope_name", ...documentedAttributes()];

    expect([...new Set(series.flatMap(Object.keys))].filter((label) => !known.includes(label))).toEqual([]);
    expect(JSON.stringify(series)).not.toContain(SECRET);
  });

  it("load the alert rules", async () => {
    const isEvaluated = async () => {
      const { groups } = (await prometheus.ask("rules")) as { groups: { rules: { name: string; health: string }[] }[] };
      const rules = groups.flatMap((group) => group.rules);
      return rules.some(({ health }) => health === "unknown") ? undefined : rules;
    };
    const rules = (await eventually(120_000, isEvaluated)) ?? [];

    expect(rules.length).toBeGreaterThanOrEqual(10);
    expect(rules.filter(({ health }) => health !== "ok")).toEqual([]);
  });

  it("feed every panel of the dashboard", async () => {
    const ofGuards = dashboardExpressions().filter((expression) => !expression.includes("doomloop_service_"));
    const expressions = ofGuards.map((expression) =>
      expression.replaceAll("$job", "agents").replaceAll(/\$__(?:range|rate_interval)/g, "1m"),
    );
    // A rate needs two scrapes.
    const areFed = async () => {
      const answers = await Promise.all(expressions.map(query));
      const hungry = expressions.filter((_, at) => answers[at]!.length === 0);
      return hungry.length === 0 ? hungry : undefined;
    };

    expect(expressions.length).toBeGreaterThan(10);
    expect(await eventually(120_000, areFed)).toEqual([]);
  });
});

/** A guard that asks questions, as one with a second opinion does. Nobody answers. */
function asking(options: GuardOptions): Guard {
  const unanswered = secondOpinion({ ask: () => undefined });
  return guardWith(unanswered, (own) => createGuard({ ...options, ...own }));
}

/** Five runs and a fleet: one ignores all it is told, one heeds it, one cycles, one has a strange tool, one just works. */
function swarm(provider: MeterProvider): void {
  const telemetry = createTelemetry({ meterProvider: provider });
  const watch = (events: readonly AgentEvent[]) => {
    const guard = telemetry.instrument(asking(QUICK));
    for (const event of events) {
      if (event.type === "round") guard.addTokens({ input: 100, output: 10 });
      guard.observe(event);
    }
    return guard;
  };
  watch(times(6, LAP));
  watch([...times(3, LAP), ...WORK]);
  watch(times(3, CYCLE));
  watch(times(3, STRANGE));
  watch([...BLANK, { type: "opinion", question: 1, verdict: "working" }]);
  const working = watch(WORK.slice(0, 12));
  working.allow({ kind: "repeated-call", loop: "0".repeat(32) } as Parameters<typeof working.allow>[0]);
  const observer = telemetry.observeFleet();
  observer.onState("connected");
  observer.onFlush({ durationMs: 3, reports: 40, outcome: "delivered" });
  observer.onFlush({ durationMs: 1000, reports: 12, outcome: "timeout" });
  observer.onState("degraded");
  const ended = telemetry.observeFleet();
  ended.onState("ended");
  const fleet = createMemoryFleet({ calls: 2 });
  for (const worker of ["a", "b"]) {
    const guard = createGuard({ fleet: fleet.join({ worker }), rules: { read_file: { fleet: "shared" } } });
    for (const event of LAP) guard.observe(event);
  }
  telemetry.watchDeadEnds(fleet);
}
