import { type Decision, LOOP_DETECTED } from "./decision.ts";
import type { Finding, FindingKind } from "./detectors/index.ts";

/** A run that was ended, in one shape for every host: plain data, to route on, to keep, and to show. */
export interface LoopStop {
  readonly status: typeof LOOP_DETECTED;
  /** The host's key of the run (a thread, a session), where it has one. */
  readonly run: string | undefined;
  /** The tool that was repeated, where there is one. Written by someone else: escape it before you show it. */
  readonly tool: string | undefined;
  /** The host's id of the call at which the run ended, where there is one. */
  readonly callId: string | undefined;
  /** How often, as the finding counts it. */
  readonly count: number | undefined;
  readonly kind: FindingKind | undefined;
  /** Words for people: "Stopped: the agent called `search` 5 times with the same arguments and got the same result." */
  readonly explanation: string;
  /** Words for the model, should it be asked once more. */
  readonly message: string;
  readonly finding: Finding | undefined;
}

/** Where a run was when it ended, as far as the host knows. */
export interface StopPlace {
  readonly run?: string | undefined;
  readonly callId?: string | undefined;
}

/** The stop in a decision; undefined if it is none. */
export function loopStop(decision: Decision, { run, callId }: StopPlace = {}): LoopStop | undefined {
  if (decision.action !== "stop") return undefined;
  const { finding, message, explanation = "Stopped: the agent went in circles." } = decision;
  const { kind, count, tools } = finding ?? {};
  return { status: LOOP_DETECTED, run, tool: tools?.[0], callId, count, kind, explanation, message, finding };
}
