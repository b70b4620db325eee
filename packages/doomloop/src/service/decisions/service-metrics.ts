import { faultMessage } from "./fault-notes.ts";
import type { QuestionCounts } from "./questions.ts";

const COUNTERS = {
  doomloop_service_requests_total: "Requests, by route and status.",
  doomloop_service_events_total: "Events that were judged or answered again, by what was decided.",
  doomloop_service_findings_total:
    "Decisions other than continue, and what would have been one in shadow, by the kind of loop.",
  doomloop_service_faults_total: "Faults of the service and of the store, and mistakes of clients.",
  doomloop_service_questions_total: "Questions whether an agent is stuck, by who answers them and why they were asked.",
  doomloop_service_opinions_total: "Answers to questions, by what they say. Late ones have no effect.",
  doomloop_service_opinion_faults_total: "Questions to which the endpoint gave no usable answer.",
  doomloop_service_refused_total: "Requests that were refused, by reason.",
} as const;
type CounterName = keyof typeof COUNTERS;

const GAUGES = {
  doomloop_service_runs: "Runs in memory.",
  doomloop_service_conversations: "Conversations of gateways in memory.",
  doomloop_service_runs_displaced_total: "Runs that were forgotten because there were too many, since the start.",
  doomloop_service_body_bytes: "Bytes of requests in memory.",
  doomloop_service_store_away: "1 while the store of the runs does not answer.",
  doomloop_service_ready: "1 while new requests are accepted.",
} as const;
type GaugeName = keyof typeof GAUGES;

const DURATION = "doomloop_service_request_seconds";
const BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1];

type ServiceMetrics = ReturnType<typeof createServiceMetrics>;

/** Counts what the service does, and prints it for Prometheus. It counts no run and no tool by name. */
export function createServiceMetrics() {
  // There from the start, so that an alert sees the first fault rise.
  const counters = new Map<CounterName, Map<string, number>>([["doomloop_service_faults_total", new Map([["", 0]])]]);
  const buckets = BOUNDS.map(() => 0);
  let total = 0;
  let sum = 0;
  return {
    count(name: CounterName, labels: Readonly<Record<string, string | number>>, by = 1): void {
      const values = counters.get(name) ?? new Map<string, number>();
      counters.set(name, values);
      let key = "";
      for (const label in labels) key += `${key === "" ? "" : ","}${label}="${labels[label]}"`;
      values.set(key, (values.get(key) ?? 0) + by);
    },
    /** Notes how long a request took. */
    took(seconds: number): void {
      total++;
      sum += seconds;
      for (const [at, bound] of BOUNDS.entries()) if (seconds <= bound) buckets[at]!++;
    },
    text(gauges: Readonly<Record<GaugeName, number>>): string {
      const lines: string[] = [];
      for (const [name, help] of Object.entries(COUNTERS)) {
        lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} counter`);
        for (const [labels, value] of counters.get(name as CounterName) ?? [])
          lines.push(`${name}{${labels}} ${value}`);
      }
      for (const [name, help] of Object.entries(GAUGES))
        lines.push(
          `# HELP ${name} ${help}`,
          `# TYPE ${name} ${name.endsWith("_total") ? "counter" : "gauge"}`,
          `${name} ${gauges[name as GaugeName]}`,
        );
      lines.push(`# HELP ${DURATION} How long requests took.`, `# TYPE ${DURATION} histogram`);
      for (const [at, bound] of BOUNDS.entries()) lines.push(`${DURATION}_bucket{le="${bound}"} ${buckets[at]}`);
      lines.push(`${DURATION}_bucket{le="+Inf"} ${total}`, `${DURATION}_sum ${sum}`, `${DURATION}_count ${total}`, "");
      return lines.join("\n");
    },
  };
}

/** Counts questions and their answers. `onFault` is told why there is no answer. */
export function questionCounts({ count }: ServiceMetrics, onFault: (message: string) => void): QuestionCounts {
  return {
    asked: (by, why) => count("doomloop_service_questions_total", { by, why }),
    answered: (verdict) => count("doomloop_service_opinions_total", { verdict }),
    failed(fault) {
      count("doomloop_service_opinion_faults_total", {});
      onFault(faultMessage(fault));
    },
  };
}
