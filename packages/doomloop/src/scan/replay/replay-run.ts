import type { Action, Decision, OwnDecision } from "../../core/decision.ts";
import type { FindingKind } from "../../core/detectors/index.ts";
import type { AgentEvent } from "../../core/event.ts";
import { type CoreGuard, createCoreGuard } from "../../core/guard.ts";
import type { GuardOptions } from "../../core/options.ts";
import { platform } from "../../platform.ts";

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

/**
 * Creates a guard for a run that goes on as it was recorded, whatever is decided: an end holds for no call after it, so that
 * later loops are seen as well.
 */
export function createReplayGuard(options: GuardOptions = {}): Pick<CoreGuard, "observe" | "shown" | "stats"> {
  let stop: Decision | undefined;
  const onDecision = (decision: Decision): OwnDecision | undefined => {
    const own = options.onDecision?.(decision) ?? undefined;
    if ((own ?? decision).action !== "stop" || decision.action !== "stop") return own;
    stop = decision;
    return { action: "block" };
  };
  const guard = createCoreGuard({ ...options, onDecision }, platform);
  return {
    observe(event) {
      stop = undefined;
      const decision = guard.observe(event);
      return stop ?? decision;
    },
    shown: () => guard.shown(),
    stats: () => guard.stats(),
  };
}

/** Tells which call of a run an event belongs to, by the same pairing that the core uses. */
interface CallIndices {
  /** Call events so far. */
  readonly count: number;
  /** The index of the call that an event makes, answers, or comes after. */
  indexOf(event: AgentEvent): number;
}

/**
 * Creates the count of a run's calls.
 *
 * All call events count, also those that the core leaves out: an index must lead back to the recording.
 */
export function createCallIndices(): CallIndices {
  let count = 0;
  /** Open calls with their ids, oldest first. */
  const open = new Map<number, unknown>();
  const byId = new Map<unknown, number[]>();

  const add = (id: unknown): number => {
    const index = count++;
    open.set(index, id);
    const same = byId.get(id);
    if (same === undefined) byId.set(id, [index]);
    else same.push(index);
    return index;
  };

  const take = (id: unknown): number | undefined => {
    const isOldest = id === undefined;
    const index = isOldest ? open.keys().next().value : byId.get(id)?.at(-1);
    if (index === undefined) return undefined;
    const key = open.get(index);
    open.delete(index);
    const same = byId.get(key)!;
    // The oldest of all is the first of its id.
    if (isOldest) same.shift();
    else same.pop();
    if (same.length === 0) byId.delete(key);
    return index;
  };

  return {
    get count() {
      return count;
    },
    indexOf(event) {
      if (event.type === "call") return add(event.id);
      const answered = event.type === "result" ? take(event.id) : undefined;
      return answered ?? Math.max(0, count - 1);
    },
  };
}

/** Whether a foreign value is an event; what its fields hold is not looked at. */
export function isEvent(event: unknown): event is AgentEvent {
  return typeof event === "object" && event !== null && typeof (event as { type?: unknown }).type === "string";
}
