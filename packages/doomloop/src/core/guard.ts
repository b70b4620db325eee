import {
  type Action,
  type Audience,
  atCall,
  atWayOut,
  CONTINUE,
  type Decision,
  decisionTo,
  LOOP_DETECTED,
  type OwnDecision,
} from "./decision.ts";
import { DoomloopError } from "./doomloop-error.ts";
import { createEngine, type Engine } from "./engine.ts";
import type { AgentEvent } from "./event.ts";
import { createTellMisuse, reportOnce, safely, type TellMisuse, untold } from "./faults.ts";
import type { Finding } from "./finding.ts";
import type { FleetView, JoinFleet } from "./fleet-view.ts";
import { heartJudge } from "./heart-judge.ts";
import type { Platform } from "./identity/read-object.ts";
import type { JudgeFactory } from "./judge.ts";
import type { Judged } from "./judged.ts";
import { type AskingOptions, resolveOptions } from "./options.ts";
import { MESSAGE_PREFIX } from "./reading/result.ts";
import { readSnapshot, type Snapshot, writeSnapshot } from "./snapshot.ts";
import type { GuardStats } from "./stats.ts";

/** Watches one run, as far as the core does. */
export interface ObservingGuard {
  /** Records what happened and says what to do. Never throws or waits. The time it takes is bounded by the size of the event. */
  observe(event: AgentEvent): Decision;
  /** What {@link ObservingGuard.observe} would say, without recording anything. */
  peek(event: AgentEvent): Decision;
  /** Marks a finding as a false alarm: its loop is never reported again in this run. */
  allow(finding: Finding): void;
  /** Forgets the run, but keeps options, statistics and allowed loops. */
  reset(): void;
  stats(): GuardStats;
  /** The guard as one JSON value, to continue in another process. */
  snapshot(): Snapshot;
}

/** A guard for our own hosts. */
export interface CoreGuard extends ObservingGuard {
  /** The loop that the latest event showed, even if nothing is said about it. */
  shown(): Finding | undefined;
  /** The step that the latest event completed, with what it added to the evidence, and why it added nothing. */
  judged(): Judged | undefined;
  /** Events of the run were missed. What was seen before is no evidence of a loop any more. */
  noteGap(): void;
}

/** What stands beside the core: another judge, checks of what hosts pass in, and a fleet. */
export interface GuardParts {
  readonly judgeBy?: JudgeFactory | undefined;
  /** Tells of events that have the wrong form. */
  readonly checkEvent?: ((event: unknown, tell: TellMisuse, platform: Platform) => void) | undefined;
  /** Only called if the options make sense. */
  readonly join?: JoinFleet | undefined;
}

/** Creates a guard on a given platform; throws a `DoomloopError` for options that make no sense. */
export function createCoreGuard(options: AskingOptions, platform: Platform, parts: GuardParts = {}): CoreGuard {
  const { judgeBy = heartJudge, checkEvent, join } = parts;
  // No function below refers to all options: they would keep the snapshot in memory for as long as the guard lives.
  const { snapshot, onDecision, onFault } = options;
  const resolved = resolveOptions(options);
  const judge = judgeBy(resolved);
  const reportFault = reportOnce(onFault ?? platform.warn);
  const tellMisuse = createTellMisuse(reportFault);
  const fleet = join?.(reportFault);

  const engineFrom = (saved: Snapshot | undefined, view: FleetView | undefined, tell: TellMisuse): Engine => {
    const parts = { options: resolved, judge, platform, fleet: view, onFault: reportFault, tellMisuse: tell };
    if (saved === undefined) return createEngine(parts);
    try {
      return createEngine(parts, readSnapshot(saved, judge));
    } catch (fault) {
      reportFault(fault);
      const anew = createEngine(parts);
      anew.noteFault();
      return anew;
    }
  };

  const engine = engineFrom(snapshot, fleet, tellMisuse);

  /** The decision of the engine. If it fails, `continue`, with an empty memory. */
  const decide = (event: AgentEvent, by: Engine): Decision => {
    try {
      const decision = by.decide(event);
      return by.isAtWayOut() ? atWayOut(decision) : decision;
    } catch (fault) {
      reportFault(fault);
      by.noteFault();
      by.reset();
      return CONTINUE;
    }
  };

  /** Saves the memory. If it came from a damaged snapshot and cannot be saved, saves an empty one. */
  const saved = (): Snapshot => {
    try {
      return writeSnapshot(engine.memory(), judge);
    } catch (fault) {
      reportFault(fault);
      engine.noteFault();
      engine.reset();
      return writeSnapshot(engine.memory(), judge);
    }
  };

  const overridden = (decision: Decision): Decision => {
    if (onDecision === undefined || decision.finding === undefined) return decision;
    const own: unknown = safely(() => onDecision(decision), reportFault);
    if (own === undefined) return decision;
    const taken = safely(() => instead(own, decision, engine.isAtCall(), engine.audience), reportFault) ?? decision;
    return engine.isAtWayOut() ? atWayOut(taken, decision) : taken;
  };

  return {
    observe(event) {
      safely(() => checkEvent?.(event, tellMisuse, platform), reportFault);
      if (typeof event !== "object" || event === null) return CONTINUE;
      const decided = decide(event, engine);
      const decision = atCall(overridden(decided), event);
      engine.carryOut(decision.action);
      return decided.question === undefined || decided === decision
        ? decision
        : { ...decision, question: decided.question };
    },
    peek(event) {
      if (typeof event !== "object" || event === null) return CONTINUE;
      const listening = fleet && { ...fleet, report() {} };
      const decided = safely(() => decide(event, engineFrom(saved(), listening, untold)), reportFault);
      return atCall(decided ?? CONTINUE, event);
    },
    allow(finding) {
      const loop = safely(() => finding?.loop, reportFault);
      if (typeof loop === "string") engine.allow(loop);
    },
    reset: () => engine.reset(),
    stats: () => engine.stats(),
    snapshot: () => saved(),
    shown: () => engine.shown(),
    judged: () => engine.judged(),
    noteGap: () => engine.noteGap(),
  };
}

/**
 * The decision that a host takes instead. Its own words are kept. For those that it leaves out, the guard supplies words that fit the
 * action.
 */
function instead(own: unknown, decided: Decision, isAtCall: boolean, audience: Audience): Decision {
  if (!isDecision(own)) {
    throw new DoomloopError(
      "invalid-option",
      `onDecision: a decision or nothing is required, got ${own instanceof Promise ? "a promise" : typeof own}`,
    );
  }
  const { action, finding } = decided;
  if (own.action === "continue") return CONTINUE;
  const isOther = own.action !== action && finding !== undefined;
  // A host may refuse a call that already ran: then the words say so.
  const ours = isOther ? { ...decisionTo(own.action, finding, isAtCall, audience), action: own.action } : decided;
  const message = textOf(own.message);
  const hasOwnWords = message !== undefined && message !== decided.message;
  const explanation = textOf(own.explanation);
  return {
    ...ours,
    action: own.action,
    message: hasOwnWords ? message : (ours.message ?? MESSAGE_PREFIX),
    ...(explanation !== undefined && explanation !== decided.explanation && { explanation }),
    ...(own.action === "stop" && { status: LOOP_DETECTED }),
    ...(hasOwnWords && { hasOwnWords }),
  } as Decision;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

const ACTIONS: readonly unknown[] = ["continue", "nudge", "block", "restart", "stop"] satisfies Action[];

function isDecision(value: unknown): value is OwnDecision {
  return typeof value === "object" && value !== null && ACTIONS.includes((value as OwnDecision).action);
}
