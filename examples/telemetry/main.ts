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
import { guard, loopStop } from "doomloop/openai";
import { createTelemetry } from "doomloop/telemetry";

// What every program with OpenTelemetry has: an SDK, with an exporter of your choice.
const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
const provider = new MeterProvider({ readers: [new PeriodicExportingMetricReader({ exporter })] });
metrics.setGlobalMeterProvider(provider);

const telemetry = createTelemetry({ metrics, trace });

// The scripted agents take no time. Here, each turn takes four seconds, so that the metrics have durations.
let clock = 0;
performance.now = () => clock;

run("stubborn", 30, () => "src/login.ts");
run("heeds its nudge", 12, (turn) => (turn < 3 ? "src/login.ts" : `src/part-${turn}.ts`));
run("just works", 5, (turn) => `src/part-${turn}.ts`);
converse("stubborn, with an adapter", 30);

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

/** An agent that reads this many files. Each model answer costs tokens, which the host reports. */
function run(name: string, turns: number, pathAt: (turn: number) => string): void {
  const own = telemetry.instrument(createGuard());
  let action = "continue";
  for (let turn = 0; turn < turns && action !== "stop"; turn++) {
    const path = pathAt(turn);
    clock += 4_000;
    own.observe({ type: "round" });
    own.addTokens({ input: 1200, output: 40 });
    ({ action } = own.observe({ type: "call", tool: "read_file", args: { path }, at: clock }));
    if (action === "block" || action === "stop") continue;
    own.observe({ type: "result", output: `The text of ${path}.`, at: clock });
  }
  console.log(`${name}: ${action === "stop" ? "stopped" : "ended by itself"}`);
}

/** An adapter makes a guard for each run. `createGuard` is the one line that measures all of them. */
function converse(name: string, turns: number): void {
  const messages: object[] = [{ role: "user", content: "Fix the login bug." }];
  const observe = guard(messages, { createGuard: (options) => telemetry.instrument(createGuard(options)) });
  for (let turn = 0; turn < turns && !observe().isOver; turn++) {
    const readFile = { name: "read_file", arguments: '{"path":"src/login.ts"}' };
    clock += 4_000;
    messages.push({ role: "assistant", tool_calls: [{ id: `call-${turn}`, type: "function", function: readFile }] });
    const isBlocked = observe().answers.length > 0;
    if (!isBlocked) messages.push({ role: "tool", tool_call_id: `call-${turn}`, content: "The text of src/login.ts." });
  }
  console.log(`${name}: ${loopStop(observe) ? "stopped" : "ended by itself"}`);
}

function labelsOf(attributes: object): string {
  const pairs = Object.entries(attributes).map(([key, value]) => `${key}="${String(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(", ")}}`;
}
