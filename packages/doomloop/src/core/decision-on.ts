import { type Answer, FIRST_WORD, type Rung, THE_END } from "./answer.ts";
import { type Decision, LOOP_DETECTED } from "./decision.ts";
import type { Finding } from "./finding.ts";
import type { Wording } from "./messages/wording.ts";

/** After this many ignored messages, more words do not help. */
const ESCALATED = 3;

/** For whom a decision is worded. */
export interface Audience {
  readonly isAttended: boolean;
  readonly isShadow: boolean;
  readonly wording: Wording;
}

/** The decision for an answer to a loop, at a call or at a result, with its words. */
export function decisionOn(
  finding: Finding,
  answer: Answer,
  isAtCall: boolean,
  { isAttended, isShadow, wording }: Audience,
): Decision {
  // A call that has already run cannot be blocked any more: one last warning takes the place of that rung.
  const isTooLate = answer.rung === "block" && !isAtCall;
  const given: Answer = isTooLate ? { ...answer, rung: "nudge", tone: "last" } : answer;
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

/** The decision for what a host does instead, in words that are true of it. */
export function decisionTo(action: Rung, finding: Finding, isAtCall: boolean, audience: Audience): Decision {
  const tone = action === "nudge" ? "warning" : "last";
  return decisionOn(finding, { rung: action, tone, next: undefined }, isAtCall, audience);
}

/** The answer to every further call of a run that this finding has ended. */
export function stillStopped(finding: Finding, audience: Audience): Decision {
  const decision = decisionOn(finding, THE_END, true, audience);
  return decision.action === "stop" ? { ...decision, isAlreadyStopped: true as const } : decision;
}

/** The decision of a guard whose fleet is in shadow mode. No rung is climbed, so that the first answer afterwards is a mild one. */
export function leftUndone(finding: Finding, audience: Audience): Decision {
  return decisionOn(finding, FIRST_WORD, true, { ...audience, isShadow: true });
}
