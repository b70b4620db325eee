import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { createServiceMetrics } from "../../packages/doomloop/src/service/decisions/service-metrics.ts";
import { ATTRIBUTES } from "../../packages/doomloop/src/telemetry/attributes.ts";
import { METRICS } from "../../packages/doomloop/src/telemetry/instruments.ts";
import {
  alertRules,
  dashboardExpressions,
  documentedAttributes,
  documentedMetrics,
  documentedNames,
} from "./documented.ts";

const folder = resolve(import.meta.dirname, "../../deploy");
const hasPromtool = spawnSync("promtool", ["--version"], { stdio: "ignore" }).status === 0;
if (!hasPromtool) process.stderr.write("Skipped: rules checked by promtool. `apt-get install prometheus` brings it.\n");

/** The metrics that an expression names; a histogram's parts, with and without its unit, are one metric. */
function metricsIn(text: string): string[] {
  const bare = text.replaceAll(/\{__name__=~"(\w+)\(_seconds\)\?_bucket"/g, "$1{").replaceAll(/by \([^)]*\)/g, "");
  const names = bare.match(/\bdoomloop_\w+(?=[{[)\s])/g) ?? [];
  return [...new Set(names.map((name) => name.replace(/_(?:bucket|sum|count)$/, "")))];
}

function labelsIn(text: string): string[] {
  const matched = [...text.matchAll(/(\w+)(?:=~|!=|=)"/g)].map(([, label]) => label!);
  const grouped = [...text.matchAll(/by \(([^)]*)\)/g)].flatMap(([, labels]) => labels!.split(/, */));
  return [...new Set([...matched, ...grouped])];
}

const NO_GAUGES = {
  doomloop_service_runs: 0,
  doomloop_service_conversations: 0,
  doomloop_service_runs_displaced_total: 0,
  doomloop_service_body_bytes: 0,
  doomloop_service_store_away: 0,
  doomloop_service_ready: 0,
};

describe("docs/telemetry.md", () => {
  it("lists every metric there is, with its type", () => {
    const listed = documentedNames().map(({ name, type }) => ({ name, type }));
    const own = Object.values(METRICS).map(({ name, type }) => ({ name, type }));

    expect(listed.toSorted(byName)).toEqual(own.toSorted(byName));
  });

  it("lists every attribute of a metric", () => {
    const {
      count: _count,
      evaluationName: _name,
      evaluationScore: _score,
      evaluationLabel: _label,
      ...onMetrics
    } = ATTRIBUTES;
    const own = Object.values(onMetrics);

    expect(documentedAttributes().toSorted()).toEqual(own.map((name) => name.replaceAll(".", "_")).toSorted());
  });
});

describe("the dashboard and the alerts", () => {
  const expressions = [...dashboardExpressions(), alertRules()].join("\n");

  it("ask for metrics that exist, and for all of them", () => {
    const [ofService, others] = [true, false].map((isService) =>
      metricsIn(expressions).filter((name) => name.startsWith("doomloop_service_") === isService),
    );
    const served = createServiceMetrics().text(NO_GAUGES);

    expect(others!.toSorted()).toEqual(documentedMetrics().toSorted());
    expect(ofService!.length).toBeGreaterThan(0);
    expect(served).toContain("doomloop_service_faults_total{} 0\n");
    expect(ofService!.filter((name) => !served.includes(`# TYPE ${name} `))).toEqual([]);
  });

  it("ask for attributes that exist", () => {
    const known = [...documentedAttributes(), "__name__", "job", "le"];

    expect(labelsIn(expressions).filter((label) => !known.includes(label))).toEqual([]);
  });

  it.skipIf(!hasPromtool)("hold rules that promtool accepts, that fire in trouble and are silent otherwise", () => {
    for (const words of [
      ["check", "rules", "prometheus-alerts.yml"],
      ["test", "rules", "prometheus-alerts.test.yml"],
    ]) {
      const { status, stdout, stderr } = spawnSync("promtool", words, { cwd: folder, encoding: "utf8" });
      expect(status, stdout + stderr).toBe(0);
    }
  });
});

function byName(one: { name: string }, other: { name: string }): number {
  return one.name < other.name ? -1 : 1;
}
