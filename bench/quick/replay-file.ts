import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { gunzipSync } from "node:zlib";
import type { AgentEvent, Decision } from "../../packages/doomloop/src/index.ts";
import { createCallIndices, isEvent, type Replay } from "../../packages/doomloop/src/scan/replay/replay-run.ts";
import type { TraceRun } from "../../packages/doomloop/src/transcripts/trace/trace-run.ts";
import { actsOf } from "../quality/acts.ts";
import { expectationOf } from "../quality/everyday/expectation.ts";
import { halfOf } from "../quality/halves.ts";
import { hostRun } from "../quality/host-run.ts";
import type { CreateGuard } from "../quality/load-guard.ts";
import { isRecorded } from "../quality/replay-order.ts";
import { variants } from "../quality/variants/variants.ts";
import { headOf, isDrawn, type QuickOrder, type QuickRun, type QuickSource } from "./quick-run.ts";

/** Replays those runs of a trace file that were ordered. */
export function replayFile(order: QuickOrder, createGuard: CreateGuard): QuickSource {
  const labelled = new Set(order.labelled);
  const runs: QuickRun[] = [];
  let [events, guardMs, faults] = [0, 0, 0];
  for (const line of linesOf(order.path)) {
    if (!isWanted(headOf(line), order, labelled)) continue;
    const trace = toldAs(order.variant, JSON.parse(line) as TraceRun);
    const start = performance.now();
    const { replays, ...judged } = judge(trace, order, createGuard);
    guardMs += performance.now() - start;
    events += replays.length * trace.events.length;
    faults += replays.reduce((sum, replay) => sum + replay.faults, 0);
    runs.push(judged);
  }
  return { runs, events, guardMs, faults };
}

function toldAs(variant: QuickOrder["variant"], trace: TraceRun): TraceRun {
  return variant === undefined ? trace : { ...trace, events: variants[variant](trace.events, trace.run) };
}

function* linesOf(path: string): Generator<string> {
  const bytes = readFileSync(path);
  const whole = path.endsWith(".gz") ? gunzipSync(bytes) : bytes;
  for (let start = 0; start < whole.length; ) {
    const end = whole.indexOf("\n", start);
    const line = whole.toString("utf8", start, end === -1 ? whole.length : end);
    if (line.trim() !== "") yield line;
    if (end === -1) return;
    start = end + 1;
  }
}

function isWanted(
  head: Omit<TraceRun, "events"> | undefined,
  order: QuickOrder,
  labelled: ReadonlySet<string>,
): boolean {
  if (head === undefined || order.kind === "everyday") return true;
  return labelled.has(head.run) || isSampled(head, order);
}

function isSampled({ run, outcome }: Omit<TraceRun, "events">, { kind, oneIn }: QuickOrder): boolean {
  if (kind === "everyday") return false;
  return (kind === "sessions" || outcome === "success") && isDrawn(run, oneIn);
}

function judge(
  trace: TraceRun,
  order: QuickOrder,
  createGuard: CreateGuard,
): QuickRun & { readonly replays: readonly Replay[] } {
  const { run, events } = trace;
  const isForeign = isRecorded(order.kind);
  const host = (): Replay => hostRun(events, {}, createGuard());
  // Labels are about runs as they were recorded. Up to its first refusal, a host lives a run in the same way.
  const ours = isForeign ? recordedRun(events, createGuard) : host();
  const isAnswered = isForeign && ours.decisions.some(({ action }) => action === "block" || action === "stop");
  const replays = isAnswered ? [ours, host()] : [ours];
  const expectation = order.kind === "everyday" ? expectationOf(trace) : undefined;
  return {
    kind: order.kind,
    source: basename(order.path).replace(/\.jsonl(?:\.gz)?$/, ""),
    run,
    half: halfOf(expectation?.class ?? run),
    ...(expectation === undefined ? {} : { expectation }),
    isSampled: isSampled(trace, order),
    hasResults: events.some((event) => event?.type === "result"),
    words: ours.decisions
      .filter(({ action }) => action !== "continue")
      .map(({ call, action, kind }) => ({ call, action, kind })),
    ...actsOf(replays.at(-1)!.decisions),
    replays,
  };
}

/** Replays a run that goes on as it was recorded, whatever the guard decides. A stop holds for one call only. */
function recordedRun(events: readonly AgentEvent[], createGuard: CreateGuard): Replay {
  let stop: Decision | undefined;
  const guard = createGuard({
    onDecision(decision) {
      if (decision.action !== "stop") return undefined;
      stop = decision;
      return { action: "block" };
    },
  });
  const indices = createCallIndices();
  const decisions: Replay["decisions"][number][] = [];
  for (const event of events.filter(isEvent)) {
    const call = indices.indexOf(event);
    stop = undefined;
    const observed = guard.observe(event);
    const { action, finding } = stop ?? observed;
    if (finding !== undefined) decisions.push({ call, action, kind: finding.kind, confidence: 1, tools: [] });
  }
  return { calls: indices.count, decisions, badEvents: 0, faults: guard.stats().faults };
}
