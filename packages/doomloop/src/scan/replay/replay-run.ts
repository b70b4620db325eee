import type { Action } from "../../core/decision.ts";
import type { FindingKind } from "../../core/detectors/index.ts";
import type { AgentEvent } from "../../core/event.ts";
import type { GuardOptions } from "../../core/options.ts";
import { createCallIndices } from "./call-indices.ts";
import { createReplayGuard } from "./create-replay-guard.ts";
import { isEvent } from "./is-event.ts";

/** A decision of the guard, and the call (0-based) that it fell on: the one made, answered, or made last. */
export interface ReplayedDecision {
  readonly call: number;
  readonly action: Action;
  readonly kind: FindingKind;
  readonly confidence: number;
  /** Written by someone else: escape before showing. */
  readonly tools: readonly string[];
}

/** What the guard would have said in a run. */
export interface Replay {
  readonly calls: number;
  /** Those with a finding; the others all say `continue`. */
  readonly decisions: readonly ReplayedDecision[];
  /** Events that are none. */
  readonly badEvents: number;
  /** Faults inside the guard. */
  readonly faults: number;
}

/**
 * Replays a recorded run through a new guard. The run goes on as it was recorded, whatever the guard decides.
 *
 * Throws a `DoomloopError` for options that make no sense.
 */
export function replayRun(events: readonly AgentEvent[], options: GuardOptions = {}): Replay {
  const guard = createReplayGuard(options);
  const indices = createCallIndices();
  const decisions: ReplayedDecision[] = [];
  let badEvents = 0;
  for (const event of events) {
    if (!isEvent(event)) {
      badEvents++;
      continue;
    }
    const call = indices.indexOf(event);
    const { action, finding } = guard.observe(event);
    if (finding === undefined) continue;
    const { kind, confidence, tools } = finding;
    decisions.push({ call, action, kind, confidence, tools });
  }
  return { calls: indices.count, decisions, badEvents, faults: guard.stats().faults };
}
