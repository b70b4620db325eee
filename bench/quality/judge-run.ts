import type { AgentEvent } from "../../packages/doomloop/src/index.ts";
import { type Replay, type ReplayedDecision, replayRun } from "../../packages/doomloop/src/scan/replay/replay-run.ts";
import type { TraceRun } from "../../packages/doomloop/src/transcripts/trace/trace-run.ts";
import { actsOf } from "./acts.ts";
import { expectationOf } from "./everyday/expectation.ts";
import { hostRun } from "./host-run.ts";
import { type JudgedRun, OURS } from "./judged-run.ts";
import { inOrder, listenToOthers } from "./listen-to-others.ts";
import type { Detect } from "./load-detector.ts";
import { probeRun } from "./probe-run.ts";
import { isRecorded, type ReplayOrder } from "./replay-order.ts";

/** Holds a run against our guard, the published rules, and a detector that was given. */
export async function judgeRun(
  trace: TraceRun,
  order: Omit<ReplayOrder, "path">,
  given: Detect | undefined,
): Promise<JudgedRun> {
  const { kind, preset } = order;
  const { run, task, outcome, events } = trace;
  const replays: Replay[] = [];
  const replay = (by: typeof hostRun, told: readonly AgentEvent[]): Replay => {
    const replayed = by(told, { preset });
    replays.push(replayed);
    return replayed;
  };
  const host = (told: readonly AgentEvent[]): readonly ReplayedDecision[] => replay(hostRun, told).decisions;

  // Labels are about runs as they were recorded.
  const ours = replay(isRecorded(kind) ? replayRun : hostRun, events);
  // A preset that never acts is scored by what it reports.
  const decisions = ours.decisions.filter(({ action }) => action !== "continue" || preset === "shadow");
  // Up to its first refusal, a host lives a run as it was recorded.
  const isAnswered = isRecorded(kind) && decisions.some(({ action }) => action === "block");
  const expectation = kind === "everyday" ? expectationOf(trace) : undefined;
  const judged = {
    run,
    task,
    isSuccess: outcome === "success",
    calls: ours.calls,
    hasResults: events.some((event) => event?.type === "result"),
    spokeAt: {
      [OURS]: inOrder(decisions.map(({ call }) => call)),
      ...(await listenToOthers(trace, order, given)),
    },
    decisions: decisions.map(({ call, action, kind }) => ({ call, action, kind })),
    ...(expectation === undefined ? {} : { expectation }),
    ...actsOf(isAnswered ? host(events) : decisions),
    ...probeRun(trace, kind, expectation, host),
    badEvents: ours.badEvents,
  };
  return { ...judged, faults: sum(replays, ({ faults }) => faults) };
}

function sum<Item>(items: readonly Item[], numberOf: (item: Item) => number): number {
  return items.reduce((total, item) => total + numberOf(item), 0);
}
