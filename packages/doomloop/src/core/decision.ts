import type { Rung } from "./answer.ts";
import type { Finding, FindingKind } from "./finding.ts";

/** The status of a run that the guard ended, for the failure handling of a host. */
export const LOOP_DETECTED = "LOOP_DETECTED";

/** Nothing is done. In shadow mode, `would` says what would have been done, `finding` and `explanation` what was seen. */
interface ContinueDecision {
  readonly action: "continue";
  readonly would?: Rung;
  readonly finding?: Finding;
  readonly explanation?: string;
  readonly message?: undefined;
  readonly status?: undefined;
}

/** Something is done about a loop. */
interface Answer<Does extends string> {
  readonly action: Does;
  /** The message for the agent. The only foreign text in it is tool names that look like identifiers. */
  readonly message: string;
  /** An explanation for people. At the top rung of an attended run, a question. */
  readonly explanation?: string;
  readonly finding?: Finding;
  /** What comes next if the loop goes on. If it is more than another nudge, the message announces it. */
  readonly next?: Rung;
  /**
   * How often the agent was told about this loop and continued. Present from the third time, so that a host can hand the run to a person
   * or a stronger model, whatever the guard does next.
   */
  readonly escalate?: number;
  /** `message` comes from `onDecision`. */
  readonly hasOwnWords?: true;
  readonly status?: undefined;
}

/** The run is over. */
interface StopDecision extends Omit<Answer<"stop">, "status" | "next"> {
  readonly status: typeof LOOP_DETECTED;
  /** The run was ended before; this only says so again. */
  readonly isAlreadyStopped?: true;
}

/**
 * The only output of a guard. It is a value: nothing is thrown.
 *
 * `nudge`: give `message` to the agent with the next result · `block`: do not run this call, answer it with `message` ·
 * `restart`: start over from a checkpoint, with `message` as the first thing the agent reads · `stop`: end the run.
 */
export type Decision = ContinueDecision | Answer<"nudge"> | Answer<"block"> | Answer<"restart"> | StopDecision;

/** What to do, mildest first. */
export type Action = Decision["action"];

/** Whether a decision only says once more that the run is over. */
export function isOldNews(decision: Decision): boolean {
  return decision.action === "stop" && decision.isAlreadyStopped === true;
}

/** What a host does instead of a decision. The guard fills in the texts that it leaves out. */
export interface OwnDecision {
  readonly action: Action;
  readonly message?: string | undefined;
  readonly explanation?: string | undefined;
}

export const CONTINUE: Decision = Object.freeze({ action: "continue" });

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

/** The end in a decision, which is a stop or a restart; undefined if it is none. */
export function loopStop(decision: Extract<Decision, { action: "stop" | "restart" }>, place?: StopPlace): LoopStop;
export function loopStop(decision: Decision, place?: StopPlace): LoopStop | undefined;
export function loopStop(decision: Decision, place: StopPlace = {}): LoopStop | undefined {
  const action = decision?.action;
  if (action !== "stop" && action !== "restart") return undefined;
  const { finding, message, explanation = "Stopped: the agent went in circles." } = decision;
  const { run, callId, findings = finding === undefined ? [] : [finding] } = place;
  const { kind, count, tools } = finding ?? {};
  const about = { run, tool: tools?.[0], callId, count, kind };
  return { status: LOOP_DETECTED, action, ...about, explanation, message, finding, findings };
}
