/**
 * Four runs are measured, and the metrics are printed instead of being sent anywhere. Runs offline, after `npm run build`:
 * npm install && node main.ts
 */
import { metrics, trace } from "@opentelemetry/api";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { createGuard } from "doomloop";
import { observeMessages } from "doomloop/openai";
import { createTelemetry } from "doomloop/telemetry";

// What every program with OpenTelemetry has: an SDK, with an exporter of your choice.
const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
const provider = new MeterProvider({ readers: [new PeriodicExportingMetricReader({ exporter })] });
metrics.setGlobalMeterProvider(provider);

const telemetry = createTelemetry({ metrics, trace });

run("stubborn", 6, () => "login bug");
run("heeds its nudge", 12, (turn) => (turn < 3 ? "login bug" : `login bug, attempt ${turn}`));
run("just works", 5, (turn) => `topic ${turn}`);
converse("stubborn, with an adapter", 10);

await provider.forceFlush();
for (const { descriptor, dataPoints } of exporter
  .getMetrics()
  .at(-1)!
  .scopeMetrics.flatMap((scope) => scope.metrics)) {
  for (const { attributes, value } of dataPoints) {
    if (value !== 0) console.log(`${descriptor.name}${labelsOf(attributes)} ${String(value)}`);
  }
}
await provider.shutdown();

/** An agent that searches so many times; each model answer costs tokens, which the host tells. */
function run(name: string, turns: number, queryAt: (turn: number) => string): void {
  const guard = telemetry.instrument(createGuard());
  let action = "continue";
  for (let turn = 0; turn < turns && action !== "stop"; turn++) {
    const query = queryAt(turn);
    guard.observe({ type: "round" });
    guard.addTokens({ input: 1200, output: 40 });
    ({ action } = guard.observe({ type: "call", tool: "search", args: { query } }));
    if (action === "block" || action === "stop") continue;
    guard.observe({ type: "result", output: turn < 3 || name === "stubborn" ? "No results." : `Found: ${query}` });
  }
  console.log(`${name}: ${action === "stop" ? "stopped" : "ended by itself"}`);
}

/** An adapter makes a guard for each run. `createGuard` is the one line that has all of them measured. */
function converse(name: string, turns: number): void {
  const observe = observeMessages({ createGuard: (options) => telemetry.instrument(createGuard(options)) });
  const messages: object[] = [{ role: "user", content: "Fix the login bug." }];
  for (let turn = 0; turn < turns && !observe(messages).isOver; turn++) {
    const search = { name: "search", arguments: '{"query":"login bug"}' };
    messages.push({ role: "assistant", tool_calls: [{ id: `call-${turn}`, type: "function", function: search }] });
    const isBlocked = observe(messages).answers.length > 0;
    if (!isBlocked) messages.push({ role: "tool", tool_call_id: `call-${turn}`, content: "No results." });
  }
  console.log(`${name}: ${observe(messages).stopped ? "stopped" : "ended by itself"}`);
}

function labelsOf(attributes: object): string {
  const pairs = Object.entries(attributes).map(([key, value]) => `${key}="${String(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(", ")}}`;
}
