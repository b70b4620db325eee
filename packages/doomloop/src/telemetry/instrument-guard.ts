import { type Decision, isOldNews } from "../core/decision.ts";
import type { AgentEvent } from "../core/event.ts";
import type { Guard } from "../core/guard.ts";
import type { GuardStats } from "../core/stats.ts";
import { ATTRIBUTES } from "./attributes.ts";
import type { Instruments } from "./instruments.ts";
import { createLoopEpisode, type EpisodeCost, type TokenUsage } from "./loop-episode.ts";
import type { DecisionRecorder } from "./record-decision.ts";

/** A guard that is measured. Decides as the guard does that it was made of. */
export interface InstrumentedGuard extends Guard {
  /**
   * Tells what a model answer cost. No event carries usage, so the host says it, once for each answer; without it,
   * tokens after onset are not counted. Never throws.
   */
  addTokens(usage: TokenUsage): void;
}

export interface GuardMeasure {
  readonly instruments: Instruments;
  readonly recorder: DecisionRecorder;
  /** Runs what may fail; what it throws goes no further. */
  readonly safely: (action: () => void) => void;
}

/** Statistics are a copy each time: where no nudge waits for its outcome, they are read at every so-manieth call. */
const CALLS_PER_LOOK = 16;

/** Wraps the guard of one run, so that what it sees and decides is counted. */
export function instrumentGuard(guard: Guard, { instruments, recorder, safely }: GuardMeasure): InstrumentedGuard {
  const episode = createLoopEpisode();
  let known = guard.stats();
  let calls = 0;
  // A run that goes on from a snapshot may have been nudged before.
  let hasBeenNudged = known.decisions.nudge > 0;
  let hasLooped = false;

  const count = (decision: Decision): void => {
    hasBeenNudged ||= decision.action === "nudge";
    recorder.record(instruments, decision);
    // What the swarm has found is no loop of this run.
    if (decision.finding?.kind === "fleet") return;
    if (!hasLooped) instruments.loopingRuns.add(1);
    hasLooped = true;
    countCost(instruments, episode.found());
    if (decision.action === "restart") episode.end();
  };

  /** What became of nudges is known to the guard some rounds later. */
  const look = (): void => {
    const now = guard.stats();
    const before = known;
    known = now;
    rise(now.nudges.obeyed - before.nudges.obeyed, (by) =>
      instruments.nudges.add(by, { [ATTRIBUTES.nudgeOutcome]: "obeyed" }),
    );
    rise(now.nudges.ignored - before.nudges.ignored, (by) =>
      instruments.nudges.add(by, { [ATTRIBUTES.nudgeOutcome]: "ignored" }),
    );
    rise(now.faults - before.faults, (by) => instruments.faults.add(by));
    // A loop is not spoken of each time that it shows.
    if (hasLooped && showings(now) > showings(before)) countCost(instruments, episode.found());
  };

  const measure = (event: AgentEvent, decision: Decision): void => {
    const type = typeOf(event);
    const isFound = decision.finding !== undefined && !isOldNews(decision);
    // What showed at the last result is a loop's own, this call may not be.
    if (type === "call" && !isFound && (hasBeenNudged || calls % CALLS_PER_LOOK === CALLS_PER_LOOK - 1)) look();
    if (type === "call") {
      instruments.calls.add(1);
      episode.call();
      calls++;
    }
    if (type === "user") episode.end();
    if (!isFound) return;
    count(decision);
    look();
  };

  safely(() => instruments.runs.add(1));
  return {
    observe(event) {
      const decision = guard.observe(event);
      safely(() => measure(event, decision));
      return decision;
    },
    peek: (event) => guard.peek(event),
    allow(finding) {
      guard.allow(finding);
      safely(() => instruments.allowed.add(1));
    },
    reset() {
      guard.reset();
      episode.end();
    },
    stats: () => guard.stats(),
    snapshot: () => guard.snapshot(),
    addTokens: (usage) => safely(() => episode.tokens(usage)),
  };
}

/** How often loops of the run itself have shown. */
function showings({ findings }: GuardStats): number {
  return Object.entries(findings).reduce((sum, [kind, count]) => (kind === "fleet" ? sum : sum + count), 0);
}

function countCost({ onsetCalls, onsetTokens }: Instruments, { calls, input, output }: EpisodeCost): void {
  rise(calls, (by) => onsetCalls.add(by));
  rise(input, (by) => onsetTokens.add(by, { [ATTRIBUTES.tokenType]: "input" }));
  rise(output, (by) => onsetTokens.add(by, { [ATTRIBUTES.tokenType]: "output" }));
}

/** An event may be anything, and what throws when it is looked at is the guard's to report. */
function typeOf(event: AgentEvent): AgentEvent["type"] | undefined {
  try {
    return event?.type;
  } catch {
    return undefined;
  }
}

/** A counter only rises. */
function rise(by: number, add: (by: number) => void): void {
  if (by > 0) add(by);
}
