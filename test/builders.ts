import type { AgentEvent, GuardOptions } from "doomloop";
import { decisionsOf } from "doomloop/testing";
import type { Detector, Sights } from "../packages/doomloop/src/core/detectors/detector.ts";
import type { DetectorFinding } from "../packages/doomloop/src/core/detectors/index.ts";
import { type EventEffect, judgedIn } from "../packages/doomloop/src/core/event-effect.ts";
import { createToolRules } from "../packages/doomloop/src/core/policy/tool-rules.ts";
import { type ProgressOptions, resolveProgress } from "../packages/doomloop/src/core/progress/progress-options.ts";
import { createRun, type Run } from "../packages/doomloop/src/core/run.ts";
import type { JudgedStep, Step } from "../packages/doomloop/src/core/step.ts";
import type { ToolRules } from "../packages/doomloop/src/core/tool-rule.ts";
import type { RepeatedTextOptions } from "../packages/doomloop/src/core/words/word-stream.ts";
import { platform } from "../packages/doomloop/src/platform.ts";

export { call, decisionsOf, failure, result, round, step, text, times, user } from "doomloop/testing";
export { judgedIn } from "../packages/doomloop/src/core/event-effect.ts";

export interface RunSettings {
  readonly progress?: ProgressOptions;
  readonly tools?: ToolRules;
  readonly streams?: RepeatedTextOptions;
}

/** A run's memory, as a guard keeps it. */
export function newRun(settings: RunSettings = {}): Run {
  return createRun({
    progress: resolveProgress(settings.progress),
    ruleOf: createToolRules(settings.tools ?? {}, rethrow),
    platform,
    streams: settings.streams ?? {},
  });
}

function rethrow(fault: unknown): never {
  throw fault;
}

/** Takes events, and gives the steps that were judged. */
export function judgedBy(run: Run, events: readonly AgentEvent[]): JudgedStep[] {
  return events.map((event) => judgedIn(run.take(event))).filter((judged) => judged !== undefined);
}

/** The step that a run ends with. */
export function latestIn(events: readonly AgentEvent[], settings: RunSettings = {}): JudgedStep {
  return judgedBy(newRun(settings), events).at(-1)!;
}

/** Takes a call, and gives its step as it is before its result. */
export function takeCall(run: Run, event: AgentEvent): Step {
  const effect = run.take(event);
  if (effect.kind !== "call") throw new Error("no call");
  return effect.step;
}

/** What a detector is shown of what an event came to; undefined if it is not asked. */
export function sightFor(
  detector: Pick<Detector<DetectorFinding>, "on">,
  effect: EventEffect,
): Sights[keyof Sights] | undefined {
  if (effect.kind === "answer" || effect.kind === "stream") return detector.on === effect.kind ? effect : undefined;
  return detector.on === "step" ? judgedIn(effect) : undefined;
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
    const sight = sightFor(detector, run.take(event));
    const finding = sight && detector.inspect(sight, run.state);
    if (finding !== undefined) found.push(finding);
  }
  return found;
}

/** The actions alone, in order. */
export function actionsOf(events: readonly AgentEvent[], options: GuardOptions = {}): string[] {
  return decisionsOf(events, options).map((decision) => decision.action);
}
