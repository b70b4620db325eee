import { type Decision, LOOP_DETECTED } from "./decision.ts";
import type { Finding } from "./detectors/index.ts";
import type { Wording } from "./messages/wording.ts";
import { FIRST_WORD, type LadderAnswer, type Rung, THE_END } from "./policy/rungs.ts";

/** Words that are ignored so often help no more. */
const ESCALATED = 3;

/** For whom a decision is worded. */
export interface Audience {
  readonly isAttended: boolean;
  readonly isShadow: boolean;
  readonly wording: Wording;
}

/** The decision that an answer to a loop comes to, at a call or at what came of one, with its words. */
export function decisionOn(
  finding: Finding,
  answer: LadderAnswer,
  isAtCall: boolean,
  { isAttended, isShadow, wording }: Audience,
): Decision {
  // A call that has already run cannot be blocked any more: that rung is spent on one last warning.
  const isTooLate = answer.rung === "block" && !isAtCall;
  const given: LadderAnswer = isTooLate ? { ...answer, rung: "nudge", tone: "last" } : answer;
  const outlook = {
    next: isTooLate ? (answer.next ?? "block") : answer.next,
    isRefused: given.rung === "block",
    isAttended,
    isShadow,
  };
  const explanation = wording.explanation(finding, given, outlook);
  if (isShadow) return { action: "continue", would: given.rung, finding, explanation };
  const { ignored = 0 } = answer;
  const words = {
    finding,
    message: wording.message(finding, given, outlook),
    explanation,
    ...(ignored >= ESCALATED && { escalate: ignored }),
  };
  return given.rung === "stop"
    ? { action: "stop", ...words, status: LOOP_DETECTED }
    : { action: given.rung, ...words, ...(outlook.next && { next: outlook.next }) };
}

/** What a host does instead of what was decided, in words that are true of it. At a result no call can be refused any more. */
export function decisionTo(action: Rung, finding: Finding, isAtCall: boolean, audience: Audience): Decision {
  const tone = action === "nudge" ? "warning" : "last";
  return decisionOn(finding, { rung: action, tone, next: undefined }, isAtCall, audience);
}

/** What every further call of a run is answered with that this finding has ended. */
export function stillStopped(finding: Finding, audience: Audience): Decision {
  const decision = decisionOn(finding, THE_END, true, audience);
  return decision.action === "stop" ? { ...decision, isAlreadyStopped: true as const } : decision;
}

/** What a fleet in shadow leaves undone. No rung is climbed, so that the first answer afterwards is a mild one. */
export function leftUndone(finding: Finding, audience: Audience): Decision {
  return decisionOn(finding, FIRST_WORD, true, { ...audience, isShadow: true });
}
