import type { Action, Decision, OwnDecision } from "../../core/decision.ts";
import type { AgentEvent } from "../../core/event.ts";
import type { FindingKind } from "../../core/finding.ts";
import type { CoreGuard } from "../../core/guard.ts";
import { MOST_QUESTIONS } from "../../core/question.ts";
import { createConfiguredGuard, type GuardConfig } from "../../counting/configured-guard.ts";
import { platform } from "../../platform.ts";

/** A decision of the guard, and its call: the one just made, just answered, or made last. Calls are counted from 0. */
export interface ReplayedDecision {
  readonly call: number;
  readonly action: Action;
  readonly kind: FindingKind;
  readonly confidence: number;
  /** Comes from the recording: escape before showing. */
  readonly tools: readonly string[];
}

/** What the guard would have decided in a run. */
export interface Replay {
  readonly calls: number;
  /** Decisions with a finding. All others are `continue`. */
  readonly decisions: readonly ReplayedDecision[];
  /** Events without a type. */
  readonly badEvents: number;
  /** Internal errors of the guard. */
  readonly faults: number;
}

/**
 * Replays a recorded run through a new guard. The run continues as recorded, whatever the guard decides.
 *
 * Throws a `DoomloopError` for invalid options.
 */
export function replayRun(events: readonly AgentEvent[], options: GuardConfig = {}): Replay {
  // Answers belong to questions. A guard that may not ask would not take them.
  const isAsked = events.some((event) => isEvent(event) && event.type === "opinion");
  const guard = createReplayGuard(isAsked ? { questions: MOST_QUESTIONS, ...options } : options);
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

/** Creates a guard for a recorded run. A stop does not apply to later calls, so that later loops are found as well. */
export function createReplayGuard(
  options: GuardConfig = {},
): Pick<CoreGuard, "observe" | "shown" | "judged" | "stats"> {
  let stop: Decision | undefined;
  const onDecision = (decision: Decision): OwnDecision | undefined => {
    const own = options.onDecision?.(decision) ?? undefined;
    if ((own ?? decision).action !== "stop" || decision.action !== "stop") return own;
    stop = decision;
    return { action: "block" };
  };
  const guard = createConfiguredGuard({ ...options, onDecision }, platform);
  return {
    observe(event) {
      stop = undefined;
      const decision = guard.observe(event);
      return stop ?? decision;
    },
    shown: () => guard.shown(),
    judged: () => guard.judged(),
    stats: () => guard.stats(),
  };
}

/** Finds the call that an event belongs to. Pairs calls and results like the core. */
interface CallIndices {
  /** The number of call events so far. */
  readonly count: number;
  /** Whether the latest event belongs to no call: it is a result whose id no open call has. */
  readonly isStray: boolean;
  /** The index of the call that an event makes, answers, or comes after. */
  indexOf(event: AgentEvent): number;
}

/**
 * Creates the call counter of a run.
 *
 * Counts all call events, even those that the core ignores, because the index must match the recording.
 */
export function createCallIndices(): CallIndices {
  let count = 0;
  let isStray = false;
  /** Calls without a result, with their ids, oldest first. */
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
    get isStray() {
      return isStray;
    },
    indexOf(event) {
      isStray = false;
      // Some servers send an empty id with every call.
      if (event.type === "call") return add(event.id || undefined);
      const answered = event.type === "result" ? take(event.id || undefined) : undefined;
      isStray = event.type === "result" && answered === undefined;
      return answered ?? Math.max(0, count - 1);
    },
  };
}

/** Whether a foreign value is an event. Does not check its fields. */
export function isEvent(event: unknown): event is AgentEvent {
  return typeof event === "object" && event !== null && typeof (event as { type?: unknown }).type === "string";
}
