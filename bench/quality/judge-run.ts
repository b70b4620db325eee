import type { AgentEvent } from "../../packages/doomloop/src/index.ts";
import { isEvent, type Replay, type ReplayedDecision } from "../../packages/doomloop/src/scan/replay/replay-run.ts";
import { openTrace, readTrace } from "../../packages/doomloop/src/transcripts/trace/read-trace.ts";
import type { TraceRun } from "../../packages/doomloop/src/transcripts/trace/trace-run.ts";
import { isRecorded, type ReplayOrder, type SourceKind, sourceOf } from "./data.ts";
import { type Expectation, expectationOf } from "./everyday.ts";
import { type Bite, biteOf, continueLoop, continueRow, type RowBite, rowBiteOf, TOOTH_CLASSES } from "./go-on.ts";
import { type CreateGuard, type Detect, detectorName, loadDetector } from "./guard.ts";
import { type Acts, actsOf, hostRun } from "./host-run.ts";
import { seedOf } from "./numbers.ts";
import { recordedRun } from "./quick-run.ts";
import { recordedSteps } from "./rules/recorded-step.ts";
import { rules } from "./rules/rules.ts";
import { type VariantName, variants } from "./variants.ts";

/** Our own name in the tables. */
export const OURS = "doomloop";

/** What our guard did where a run was told otherwise, or went on. */
interface Probes {
  /** Of a healthy run: in all its variants. */
  readonly variants?: Readonly<Record<VariantName, Acts>>;
  /** Of an everyday loop that is beyond argument: when it went on. */
  readonly bite?: Bite;
  /** Of a recorded run with a row of equal calls: what was done when the row went on. */
  readonly row?: RowBite;
}

/** A run as the detectors saw it. */
export interface JudgedRun extends Acts, Probes {
  readonly run: string;
  readonly task: string | undefined;
  readonly isSuccess: boolean;
  readonly calls: number;
  readonly hasResults: boolean;
  /** The calls at which each detector spoke, in order, by the detector's name; ours is the first. */
  readonly spokeAt: Readonly<Record<string, readonly number[]>>;
  /** What our guard said, in order. */
  readonly decisions: readonly Pick<ReplayedDecision, "call" | "action" | "kind">[];
  /** Of an everyday run. */
  readonly expectation?: Expectation;
}

export interface JudgedSource {
  readonly kind: SourceKind;
  readonly source: string;
  readonly runs: readonly JudgedRun[];
  /** Lines and events that could not be read. */
  readonly skipped: number;
  /** Faults inside the guard. */
  readonly faults: number;
}

/** Replays all runs of a trace file. It is read once: all that is asked of a run is asked while it is at hand. */
export async function judgeSource({ path, ...order }: ReplayOrder, createGuard: CreateGuard): Promise<JudgedSource> {
  const given = order.detector === undefined ? undefined : await loadDetector(order.detector);
  const runs: JudgedRun[] = [];
  let skipped = 0;
  let faults = 0;
  for await (const trace of readTrace(openTrace(path), { onSkipped: () => void skipped++ })) {
    const replays: Replay[] = [];
    runs.push(await judgeRun(trace, order, { given, createGuard }, replays));
    skipped += replays[0]!.badEvents;
    for (const replay of replays) faults += replay.faults;
  }
  return { kind: order.kind, source: sourceOf(path), runs, skipped, faults };
}

/** Holds a run against our guard, the published rules, and a detector that was given. Adds its replays to the list. */
async function judgeRun(
  trace: TraceRun,
  order: Omit<ReplayOrder, "path">,
  { given, createGuard }: { readonly given: Detect | undefined; readonly createGuard: CreateGuard },
  replays: Replay[],
): Promise<JudgedRun> {
  const { kind, preset } = order;
  const { run, task, outcome, events } = trace;
  const noted = (replay: Replay): Replay => {
    replays.push(replay);
    return replay;
  };
  const asHost = (told: readonly AgentEvent[]): Replay => noted(hostRun(told, {}, createGuard()));
  const host = (told: readonly AgentEvent[]): readonly ReplayedDecision[] => asHost(told).decisions;

  // Labels are about runs as they were recorded.
  const ours = isRecorded(kind) ? noted(recordedRun(events, createGuard)) : asHost(events);
  // A preset that never acts is scored by what it reports.
  const decisions = ours.decisions.filter(({ action }) => action !== "continue" || preset === "shadow");
  // Up to its first refusal, a host lives a run as it was recorded.
  const isAnswered = isRecorded(kind) && decisions.some(({ action }) => action === "block");
  const expectation = kind === "everyday" ? expectationOf(trace) : undefined;
  const steps = recordedSteps(events.filter(isEvent));
  const asked = given === undefined ? {} : { [detectorName(order.detector!)]: inOrder(await given(hide(trace, kind))) };
  return {
    ...{ run, task, isSuccess: outcome === "success", calls: ours.calls },
    hasResults: events.some((event) => event?.type === "result"),
    spokeAt: {
      [OURS]: inOrder(decisions.map(({ call }) => call)),
      ...asked,
      ...Object.fromEntries(Object.entries(rules).map(([name, rule]) => [name, rule(steps)])),
    },
    decisions: decisions.map(({ call, action, kind: found }) => ({ call, action, kind: found })),
    ...(expectation === undefined ? {} : { expectation }),
    ...actsOf(isAnswered ? host(events) : decisions),
    ...probe(trace, kind, expectation, host),
  };
}

/** A run without what is to be found out. The name of an everyday run tells its class, so it gets another. */
function hide({ run, model, task, events }: TraceRun, kind: SourceKind): Parameters<Detect>[0] {
  return {
    run: kind === "everyday" ? `run-${seedOf(run)}` : run,
    ...(model === undefined ? {} : { model }),
    ...(task === undefined ? {} : { task }),
    events,
  };
}

/** Each call once, in order. */
function inOrder(calls: readonly number[]): number[] {
  return [...new Set(calls)].sort((one, other) => one - other);
}

/** Asks our guard what is to be asked of a run beyond what was recorded. */
function probe(
  { run, events }: TraceRun,
  kind: SourceKind,
  expectation: Expectation | undefined,
  host: (events: readonly AgentEvent[]) => readonly ReplayedDecision[],
): Probes {
  if (kind === "later") return {};
  if (kind === "recorded") {
    const row = continueRow(events);
    return row === undefined ? {} : { row: rowBiteOf(row.first, host(row.events)) };
  }
  if (expectation?.expect !== "spoken") {
    const names = Object.keys(variants) as VariantName[];
    const acts = names.map((name) => [name, actsOf(host(variants[name](events, run)))]);
    return { variants: Object.fromEntries(acts) as Record<VariantName, Acts> };
  }
  if (!TOOTH_CLASSES.has(expectation.class)) return {};
  return { bite: biteOf(expectation, host(continueLoop(events, expectation))) };
}
