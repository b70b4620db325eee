import { type Decision, LOOP_DETECTED } from "../core/decision.ts";
import { DoomloopError } from "../core/doomloop-error.ts";
import type { Finding, FindingKind } from "../core/finding.ts";
import { warnOnce } from "../warn-once.ts";

/** A run that was ended, in the same shape for every host: plain data that you can route on, store and show. */
export interface LoopStop {
  readonly status: typeof LOOP_DETECTED;
  /** What was decided. `restart`: the program should restore its files and start over; this needs a ladder with that rung. */
  readonly action: "restart" | "stop";
  /** The host's key of the run (a thread, a session), where it has one. */
  readonly run: string | undefined;
  /** The tool that was repeated, where there is one. Written by someone else: escape it before you show it. */
  readonly tool: string | undefined;
  /** The host's id of the call at which the run ended, where there is one. */
  readonly callId: string | undefined;
  /** How often, as the finding counts it. */
  readonly count: number | undefined;
  readonly kind: FindingKind | undefined;
  /** An explanation for people: "Stopped: the agent called `search` 5 times with the same arguments and got the same result each time." */
  readonly explanation: string;
  /** A message for the model, in case you ask it once more. */
  readonly message: string;
  readonly finding: Finding | undefined;
  /** The loops of the run so far, each once: what led nowhere, for the first message to an agent that starts over. */
  readonly findings: readonly Finding[];
}

/** Where a run was when it ended, as far as the host knows. */
export interface StopPlace {
  readonly run?: string | undefined;
  readonly callId?: string | undefined;
  /**
   * The loops of the run so far.
   * @default the one that it ends for
   */
  readonly findings?: readonly Finding[];
}

const NO_DECISION =
  "loopStop: a guard's decision is required; for the result of a framework, import loopStop from its adapter, such as doomloop/ai-sdk";

/** The end in a decision, which is a stop or a restart; undefined if it is none. */
export function loopStop(decision: Extract<Decision, { action: "stop" | "restart" }>, place?: StopPlace): LoopStop;
export function loopStop(decision: Decision, place?: StopPlace): LoopStop | undefined;
export function loopStop(decision: Decision, place: StopPlace = {}): LoopStop | undefined {
  const action = decision?.action;
  if (typeof action !== "string") warnOnce(new DoomloopError("misuse", NO_DECISION));
  if (action !== "stop" && action !== "restart") return undefined;
  const { finding, message, explanation = "Stopped: the agent went in circles." } = decision;
  const { run, callId = decision.callId, findings = finding === undefined ? [] : [finding] } = place;
  const { kind, count, tools } = finding ?? {};
  const about = { run, tool: tools?.[0], callId, count, kind };
  return { status: LOOP_DETECTED, action, ...about, explanation, message, finding, findings };
}

/** Whether a decision only says once more that the run is over. */
export function isOldNews(decision: Decision): boolean {
  return decision.action === "stop" && decision.isAlreadyStopped === true;
}
