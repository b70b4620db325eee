import { context, metrics, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
  type PushMetricExporter,
} from "@opentelemetry/sdk-metrics";
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { metrics as olderMetrics } from "api-v1-9";
import { type AgentEvent, createGuard, type Guard } from "doomloop";
import { createTelemetry } from "doomloop/telemetry";
import { round, step, times } from "doomloop/testing";
import { afterEach, describe, expect, it } from "vitest";
import { QUICK } from "../../contracts/adapter-scripts.ts";

const LOOP: readonly AgentEvent[] = times(6, [round, ...step("read_file", { path: "a.ts" }, "no", { error: true })]);
const actionsOf = (guard: Guard): string[] => LOOP.map((event) => guard.observe(event).action);

function newSdk() {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
  const provider = new MeterProvider({ readers: [reader] });
  /** The sum of a counter over all attributes; undefined if there is none. */
  const total = async (name: string): Promise<number | undefined> => {
    await provider.forceFlush();
    const found = exporter
      .getMetrics()
      .at(-1)
      ?.scopeMetrics.flatMap((scope) => scope.metrics)
      .find(({ descriptor }) => descriptor.name === name);
    return found?.dataPoints.reduce((sum, { value }) => sum + Number(value), 0);
  };
  return { provider, total };
}

afterEach(() => {
  metrics.disable();
  trace.disable();
  context.disable();
});

describe("the SDK of OpenTelemetry", () => {
  it("is found when it is registered before the telemetry is created", async () => {
    const { provider, total } = newSdk();
    metrics.setGlobalMeterProvider(provider);
    actionsOf(createTelemetry({ metrics, trace }).instrument(createGuard(QUICK)));

    expect(await total("doomloop.findings")).toBe(4);
  });

  it("is found by the next guard when it is registered afterwards", async () => {
    const telemetry = createTelemetry({ metrics, trace });
    actionsOf(telemetry.instrument(createGuard(QUICK)));
    const { provider, total } = newSdk();
    metrics.setGlobalMeterProvider(provider);
    actionsOf(telemetry.instrument(createGuard(QUICK)));

    expect(await total("doomloop.findings")).toBe(4);
    expect(await total("doomloop.runs")).toBe(1);
  });

  it("may be absent", () => {
    expect(actionsOf(createTelemetry({ metrics, trace }).instrument(createGuard(QUICK)))).toEqual(
      actionsOf(createGuard(QUICK)),
    );
  });

  it("takes the boundaries of the store's latency", async () => {
    const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
    const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
    const provider = new MeterProvider({ readers: [reader] });
    createTelemetry({ meterProvider: provider })
      .observeFleet()
      .onFlush({ durationMs: 20, reports: 1, outcome: "delivered" });
    await provider.forceFlush();
    const found = exporter.getMetrics()[0]!.scopeMetrics[0]!.metrics.find(({ descriptor }) => descriptor.unit === "s");
    const { buckets } = found!.dataPoints[0]!.value as { buckets: { boundaries: number[]; counts: number[] } };

    expect(buckets.boundaries).toContain(0.025);
    expect(buckets.counts[buckets.boundaries.indexOf(0.025)]).toBe(1);
  });

  it("may fail to export, and no guard notices", async () => {
    const exporter: PushMetricExporter = {
      export() {
        throw new Error("the collector is away");
      },
      forceFlush: () => Promise.reject(new Error("the collector is away")),
      shutdown: () => Promise.resolve(),
    };
    const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
    const provider = new MeterProvider({ readers: [reader] });
    const faults: unknown[] = [];
    const telemetry = createTelemetry({ meterProvider: provider, onFault: (fault) => void faults.push(fault) });
    const guard = telemetry.instrument(createGuard(QUICK));
    await provider.forceFlush().catch(() => {});

    expect(actionsOf(guard)).toEqual(actionsOf(createGuard(QUICK)));
    expect(faults).toEqual([]);
  });
});

describe("an SDK that was registered with an older API", () => {
  it("is found through that API, and not through another, as OpenTelemetry has it", async () => {
    const { provider, total } = newSdk();
    const key = Symbol.for("opentelemetry.js.api.1");
    const registry = globalThis as { [key]?: unknown };
    const before = registry[key];
    try {
      delete registry[key];
      olderMetrics.setGlobalMeterProvider(
        provider as unknown as Parameters<typeof olderMetrics.setGlobalMeterProvider>[0],
      );
      actionsOf(createTelemetry({ metrics, trace }).instrument(createGuard(QUICK)));
      expect(await total("doomloop.findings")).toBeUndefined();

      actionsOf(createTelemetry({ metrics: olderMetrics }).instrument(createGuard(QUICK)));
      expect(await total("doomloop.findings")).toBe(4);
    } finally {
      registry[key] = before;
    }
  });
});

describe("findings", () => {
  it("are events on the span of the tool call that is active", () => {
    const exporter = new InMemorySpanExporter();
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }));
    const guard = createTelemetry({ metrics, trace }).instrument(createGuard(QUICK));
    for (const event of LOOP) {
      trace.getTracer("host").startActiveSpan("execute_tool read_file", (span) => {
        guard.observe(event);
        span.end();
      });
    }
    const events = exporter.getFinishedSpans().flatMap((span) => span.events);

    expect(events.map(({ name }) => name)).toEqual(Array(4).fill("gen_ai.evaluation.result"));
    expect(events.map(({ attributes }) => attributes?.["doomloop.decision.action"])).toEqual([
      "nudge",
      "nudge",
      "block",
      "stop",
    ]);
  });
});
