import type { AgentEvent, GuardOptions } from "doomloop";
import { decisionsOf } from "doomloop/testing";
import type { Detector } from "../packages/doomloop/src/core/detectors/detector.ts";
import type { DetectorFinding } from "../packages/doomloop/src/core/detectors/index.ts";
import { createRun, type Moved, type Run } from "../packages/doomloop/src/core/memory/run.ts";
import type { TextTailOptions } from "../packages/doomloop/src/core/memory/text-stream.ts";
import { createToolRules, type ToolRules } from "../packages/doomloop/src/core/policy/tool-rules.ts";
import { type ProgressOptions, resolveProgress } from "../packages/doomloop/src/core/progress/progress-options.ts";
import { platform } from "../packages/doomloop/src/platform.ts";

export { call, decisionsOf, failure, result, round, step, text, times, user } from "doomloop/testing";

export interface RunSettings {
  readonly progress?: ProgressOptions;
  readonly tools?: ToolRules;
  readonly streams?: TextTailOptions;
}

/** A run's memory, as a guard keeps it. */
export function newRun(settings: RunSettings = {}): Run {
  return createRun({
    progress: resolveProgress(settings.progress),
    ruleOf: createToolRules(settings.tools ?? {}, rethrow),
    platform,
    streams: settings.streams ?? {},
    countsTests: true,
  });
}

function rethrow(fault: unknown): never {
  throw fault;
}

/** Whether a detector is asked about what an event came to. */
export function isAsked(detector: Pick<Detector<DetectorFinding>, "on">, moved: Moved): boolean {
  if (moved.kind === "nothing" || (moved.kind === "call" && !moved.isJudged)) return false;
  return detector.on === (moved.kind === "answer" || moved.kind === "stream" ? moved.kind : "step");
}

/** What one detector sees in a run, event by event. */
export function findingsOf<Found extends DetectorFinding>(
  detector: Detector<Found>,
  events: readonly AgentEvent[],
  settings: RunSettings = {},
): Found[] {
  const run = newRun(settings);
  const found: Found[] = [];
  for (const event of events) {
    const moved = run.take(event);
    const finding = isAsked(detector, moved) ? detector.inspect(run.state, moved) : undefined;
    if (finding !== undefined) found.push(finding);
  }
  return found;
}

/** The actions alone, in order. */
export function actionsOf(events: readonly AgentEvent[], options: GuardOptions = {}): string[] {
  return decisionsOf(events, options).map((decision) => decision.action);
}
