import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { AgentEvent, Decision } from "../../packages/doomloop/src/index.ts";
import {
  createCallIndices,
  isEvent,
  type Replay,
  type ReplayedDecision,
} from "../../packages/doomloop/src/scan/replay/replay-run.ts";
import type { TraceRun } from "../../packages/doomloop/src/transcripts/trace/trace-run.ts";
import { isRecorded, type SourceKind, sourceOf } from "./data.ts";
import { type Expectation, expectationOf } from "./everyday.ts";
import type { CreateGuard } from "./guard.ts";
import { type Acts, actsOf, hostRun } from "./host-run.ts";
import { type Half, halfOf, seedOf } from "./numbers.ts";
import { type VariantName, variants } from "./variants.ts";

/** What to take from a trace file. */
export interface QuickOrder {
  readonly path: string;
  readonly kind: SourceKind;
  /** Runs to take because a window of theirs was judged. */
  readonly labelled: readonly string[];
  /** Of successes, and of real sessions, one in so many is taken. */
  readonly oneIn: number;
  /** The runs as another host would have told them. */
  readonly variant?: VariantName | undefined;
}

/** A run, and what the guard said in it. */
export interface QuickRun extends Acts {
  readonly kind: SourceKind;
  /** The file's name. */
  readonly source: string;
  readonly run: string;
  readonly half: Half;
  readonly expectation?: Expectation;
  /** A success, or a real session, that belongs to the sample. */
  readonly isSampled: boolean;
  readonly hasResults: boolean;
  readonly words: readonly Pick<ReplayedDecision, "call" | "action" | "kind">[];
}

/** What a thread has to say of a file. */
export interface QuickSource {
  readonly runs: readonly QuickRun[];
  readonly events: number;
  readonly guardMs: number;
  readonly faults: number;
}

type Head = Omit<TraceRun, "events">;

/** Replays those runs of a trace file that were ordered. */
export function replayFile(order: QuickOrder, createGuard: CreateGuard): QuickSource {
  const labelled = new Set(order.labelled);
  const runs: QuickRun[] = [];
  let [events, guardMs, faults] = [0, 0, 0];
  for (const line of linesOf(order.path)) {
    const head = headOf(line);
    const isWanted = head === undefined || order.kind === "everyday" || labelled.has(head.run);
    if (!isWanted && !isSampled(head, order)) continue;
    const recorded = JSON.parse(line) as TraceRun;
    const { variant } = order;
    const trace =
      variant === undefined ? recorded : { ...recorded, events: variants[variant](recorded.events, recorded.run) };
    const start = performance.now();
    const replays: Replay[] = [];
    runs.push(judge(trace, order, createGuard, replays));
    guardMs += performance.now() - start;
    events += replays.length * trace.events.length;
    for (const replay of replays) faults += replay.faults;
  }
  return { runs, events, guardMs, faults };
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

/** What a line says of its run, without reading the events, which come last: most lines are not needed. */
function headOf(line: string): Head | undefined {
  const end = line.search(/, ?"events": ?\[/);
  return end === -1 ? undefined : (JSON.parse(`${line.slice(0, end)}}`) as Head);
}

function isSampled({ run, outcome }: Head, { kind, oneIn }: QuickOrder): boolean {
  const isSuspect = kind === "sessions" || (kind !== "everyday" && outcome === "success");
  return isSuspect && (seedOf(run) >>> 7) % oneIn === 0;
}

function judge(trace: TraceRun, order: QuickOrder, createGuard: CreateGuard, replays: Replay[]): QuickRun {
  const { run, events } = trace;
  const isForeign = isRecorded(order.kind);
  const host = (): Replay => hostRun(events, {}, createGuard());
  // Labels are about runs as they were recorded. Up to its first refusal, a host lives a run in the same way.
  const ours = isForeign ? recordedRun(events, createGuard) : host();
  const isAnswered = isForeign && ours.decisions.some(({ action }) => action === "block" || action === "stop");
  replays.push(ours, ...(isAnswered ? [host()] : []));
  const expectation = order.kind === "everyday" ? expectationOf(trace) : undefined;
  const words = ours.decisions.filter(({ action }) => action !== "continue");
  return {
    ...{ kind: order.kind, source: sourceOf(order.path), run, half: halfOf(expectation?.class ?? run) },
    ...(expectation === undefined ? {} : { expectation }),
    isSampled: isSampled(trace, order),
    hasResults: events.some((event) => event?.type === "result"),
    words: words.map(({ call, action, kind }) => ({ call, action, kind })),
    ...actsOf(replays.at(-1)!.decisions),
  };
}

/** Replays a run that goes on as it was recorded, whatever the guard decides. A stop holds for one call only. */
export function recordedRun(events: readonly AgentEvent[], createGuard: CreateGuard): Replay {
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
  const known = events.filter(isEvent);
  for (const event of known) {
    const call = indices.indexOf(event);
    stop = undefined;
    const observed = guard.observe(event);
    const { action, finding } = stop ?? observed;
    if (finding !== undefined) decisions.push({ call, action, kind: finding.kind, confidence: 1, tools: [] });
  }
  return { calls: indices.count, decisions, badEvents: events.length - known.length, faults: guard.stats().faults };
}
