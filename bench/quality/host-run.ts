import type { CallEvent } from "../../packages/doomloop/src/core/event.ts";
import {
  type AgentEvent,
  createGuard,
  type Decision,
  type Guard,
  type GuardOptions,
} from "../../packages/doomloop/src/index.ts";
import {
  createCallIndices,
  isEvent,
  type Replay,
  type ReplayedDecision,
} from "../../packages/doomloop/src/scan/replay/replay-run.ts";

/**
 * Replays a run as a host would have lived it: a refused call is answered with the refusal, and a stop ends the run.
 *
 * The CLI's replay goes on as recorded whatever the guard decides. That shows where it speaks, but not what comes of it:
 * there, a refused call still gets the tool's answer, and a run that was ended goes on.
 */
export function hostRun(
  events: readonly AgentEvent[],
  options: GuardOptions = {},
  guard: Pick<Guard, "observe" | "stats"> = createGuard(options),
): Replay {
  const indices = createCallIndices();
  const refusals = new Map<number, AgentEvent>();
  const decisions: ReplayedDecision[] = [];
  let badEvents = 0;
  // A refused call takes no time, so all that follows comes sooner.
  let savedMs = 0;
  for (const original of events) {
    const recorded = sooner(original, savedMs);
    if (!isEvent(recorded)) {
      badEvents++;
      continue;
    }
    const call = indices.indexOf(recorded);
    const event = (recorded.type === "result" && refusals.get(call)) || recorded;
    if (event !== recorded) savedMs += Math.max(0, Number(timeOf(recorded) ?? 0) - Number(timeOf(event) ?? 0));
    const decision = guard.observe(event);
    if (decision.finding === undefined) continue;
    const { kind, confidence, tools } = decision.finding;
    decisions.push({ call, action: decision.action, kind, confidence, tools });
    if (isEnd(decision)) break;
    if (event.type === "call" && decision.action === "block") refusals.set(call, refusalOf(event, decision));
  }
  return { calls: indices.count, decisions, badEvents, faults: guard.stats().faults };
}

function sooner(event: AgentEvent, savedMs: number): AgentEvent {
  const at = isEvent(event) ? timeOf(event) : undefined;
  return savedMs === 0 || at === undefined ? event : ({ ...event, at: at - savedMs } as AgentEvent);
}

function timeOf(event: AgentEvent): number | undefined {
  return "at" in event && typeof event.at === "number" ? event.at : undefined;
}

/** Whether a decision ends the run. After a restart, what was recorded is no longer what happens. */
export function isEnd({ action }: Pick<Decision, "action">): boolean {
  return action === "stop" || action === "restart";
}

/** What the agent gets in place of the tool's answer. It comes at once, so it carries the time of the call. */
function refusalOf({ id, at }: CallEvent, { message }: Decision): AgentEvent {
  return { type: "result", id, output: message, synthetic: true, at };
}

/** What our guard did in a run, beyond words. */
export interface Acts {
  /** A call was refused, or the run ended. */
  readonly isBlocked: boolean;
  readonly isStopped: boolean;
}

export function actsOf(decisions: readonly Pick<ReplayedDecision, "action">[]): Acts {
  const isStopped = decisions.some(isEnd);
  return { isBlocked: isStopped || decisions.some(({ action }) => action === "block"), isStopped };
}
