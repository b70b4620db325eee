import { isEvent } from "../../packages/doomloop/src/scan/replay/replay-run.ts";
import type { TraceRun } from "../../packages/doomloop/src/transcripts/trace/trace-run.ts";
import { type Detect, detectorName } from "./load-detector.ts";
import { seedOf } from "./random.ts";
import type { ReplayOrder } from "./replay-order.ts";
import { rules } from "./rules/index.ts";
import { recordedSteps } from "./rules/recorded-step.ts";

/** The calls at which others speak, in order: a detector that was given, and the published rules. */
export async function listenToOthers(
  trace: TraceRun,
  { kind, detector }: Pick<ReplayOrder, "kind" | "detector">,
  given: Detect | undefined,
): Promise<Record<string, readonly number[]>> {
  const { events } = trace;
  const spokeAt: Record<string, readonly number[]> = {};
  if (given !== undefined) spokeAt[detectorName(detector!)] = inOrder(await given(withoutAnswers(trace, kind)));
  const steps = recordedSteps(events.filter(isEvent));
  for (const [name, rule] of Object.entries(rules)) spokeAt[name] = rule(steps);
  return spokeAt;
}

/** A run without what is to be found out. The name of an everyday run tells its class, so it gets another. */
function withoutAnswers({ run, model, task, events }: TraceRun, kind: ReplayOrder["kind"]): Parameters<Detect>[0] {
  return {
    run: kind === "everyday" ? `run-${seedOf(run)}` : run,
    ...(model === undefined ? {} : { model }),
    ...(task === undefined ? {} : { task }),
    events,
  };
}

/** Each call once, in order. */
export function inOrder(calls: readonly number[]): number[] {
  return [...new Set(calls)].sort((one, other) => one - other);
}
