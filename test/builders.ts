import type { Decision, GuardOptions } from "doomloop";
import { createGuard } from "doomloop";
import type { Detector } from "../packages/doomloop/src/core/detectors/detector.ts";
import type { DetectorFinding } from "../packages/doomloop/src/core/detectors/index.ts";
import type { AgentEvent, CallEvent, ResultEvent } from "../packages/doomloop/src/core/event.ts";
import { createRun, type Moved, type Run } from "../packages/doomloop/src/core/memory/run.ts";
import type { TextTailOptions } from "../packages/doomloop/src/core/memory/text-stream.ts";
import { createToolRules, type ToolRules } from "../packages/doomloop/src/core/policy/tool-rules.ts";
import { type ProgressOptions, resolveProgress } from "../packages/doomloop/src/core/progress/progress-options.ts";
import { platform } from "../packages/doomloop/src/platform.ts";

/** A call without an id: its result is the next one. */
export function call(tool: string, args: unknown = {}, more: Partial<CallEvent> = {}): CallEvent {
  return { type: "call", tool, args, ...more };
}

export function result(output: unknown, more: Partial<ResultEvent> = {}): ResultEvent {
  return { type: "result", output, ...more };
}

/** A failing result, told by the host's flag. */
export function failure(output: unknown): ResultEvent {
  return { type: "result", output, error: true };
}

export function user(text?: string): AgentEvent {
  return { type: "user", text };
}

export function text(words: string): AgentEvent {
  return { type: "text", text: words };
}

export const round: AgentEvent = { type: "round" };

/** A call and its result. */
export function step(tool: string, args: unknown, output: unknown, more: Partial<ResultEvent> = {}): AgentEvent[] {
  return [call(tool, args), result(output, more)];
}

/** The same events several times over. */
export function times(count: number, events: readonly AgentEvent[]): AgentEvent[] {
  return Array.from({ length: count }, () => events).flat();
}

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

/** The decisions of a guard that are more than `continue`, each with the event's place. Throws if the guard had a fault. */
export function decisionsOf(events: readonly AgentEvent[], options: GuardOptions = {}): (Decision & { at: number })[] {
  const faults: unknown[] = [];
  const guard = createGuard({ ...options, onFault: (fault) => void faults.push(fault) });
  const decisions = events.map((event, at) => ({ at, ...guard.observe(event) }));
  if (faults.length > 0) throw faults[0];
  return decisions.filter((decision) => decision.action !== "continue");
}

/** The actions alone, in order. */
export function actionsOf(events: readonly AgentEvent[], options: GuardOptions = {}): string[] {
  return decisionsOf(events, options).map((decision) => decision.action);
}
