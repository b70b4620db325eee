import type { Reason } from "./finding.ts";
import type { OpenCall } from "./reading/run-memory.ts";
import type { Call, Step } from "./step.ts";

/** A call as everybody around the heart sees it: with its result, and with what the judge made of it. It is passed on and never kept. */
export interface Judged {
  readonly step: Step;
  readonly open: OpenCall;
  /** What the result says; undefined if none was seen. */
  readonly text: string | undefined;
  /** The result is the one that the call got before, to the letter. */
  readonly isExact: boolean;
  /** It is a stand-in: the call did not run. */
  readonly isSynthetic: boolean;
  /** How often the call came to this without progress, what that added to the evidence in plain repeats, and why it added nothing. */
  repeats: number;
  added: number;
  reason: Reason | undefined;
}

/** What a repeat counts whose result nobody sees. */
const UNSEEN = 2 / 3;

/** A call that was just made. If nobody sees results, that is all there will be of it. */
export function judgedCall(open: OpenCall, hasRounds: boolean): Judged {
  return { step: unseen(open.call, hasRounds), open, text: undefined, isExact: false, isSynthetic: false, ...NOT_COUNTED };
}

export const NOT_COUNTED = { repeats: 1, added: 0, reason: undefined } as const;

function unseen(call: Call, hasRounds: boolean): Step {
  return {
    ...call,
    // If nothing tells parallel calls from calls in turn, each counts as a round of its own.
    round: hasRounds ? call.round : call.index,
    subject: 0,
    trust: UNSEEN,
    effect: "watch",
    result: 1,
    form: 1,
    length: Number.MAX_SAFE_INTEGER,
    outcome: "unseen",
    failure: undefined,
    progress: "none",
  };
}
