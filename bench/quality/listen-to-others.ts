import { isEvent, replayRun } from "../../packages/doomloop/src/scan/replay/replay-run.ts";
import type { TraceRun } from "../../packages/doomloop/src/transcripts/trace/trace-run.ts";
import { type Detect, detectorName } from "./load-detector.ts";
import { seedOf } from "./random.ts";
import type { ReplayOrder } from "./replay-order.ts";
import { rules } from "./rules/index.ts";
import { recordedSteps } from "./rules/recorded-step.ts";

/** The calls at which others speak, in order: a detector that was given, the published rules, or settings to choose from. */
export async function listenToOthers(
  trace: TraceRun,
  { kind, detector, settings, isAlone = false }: Pick<ReplayOrder, "kind" | "detector" | "settings" | "isAlone">,
  given: Detect | undefined,
): Promise<Record<string, readonly number[]>> {
  const { events } = trace;
  const spokeAt: Record<string, readonly number[]> = {};
  if (given !== undefined) spokeAt[detectorName(detector!)] = inOrder(await given(withoutAnswers(trace, kind)));
  if (settings === undefined && !isAlone) {
    const steps = recordedSteps(events.filter(isEvent));
    for (const [name, rule] of Object.entries(rules)) spokeAt[name] = rule(steps);
  }
  for (const [name, options] of Object.entries(settings ?? {})) {
    const spoken = replayRun(events, options).decisions.filter(({ action }) => action !== "continue");
    spokeAt[name] = inOrder(spoken.map(({ call }) => call));
  }
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
