import { type Decision, LOOP_DETECTED } from "./decision.ts";
import type { Finding } from "./detectors/index.ts";
import { explanationFor, messageFor } from "./messages/index.ts";
import { FIRST_WORD, type LadderAnswer } from "./policy/rungs.ts";

/** For whom a decision is worded. */
interface Audience {
  readonly isAttended: boolean;
  readonly isShadow: boolean;
}

/** The decision that an answer to a loop comes to, at a call or at what came of one, with its words. */
export function decisionOn(
  finding: Finding,
  answer: LadderAnswer,
  isAtCall: boolean,
  { isAttended, isShadow }: Audience,
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
  const explanation = explanationFor(finding, given, outlook);
  if (isShadow) return { action: "continue", finding, explanation };
  const decision: Decision = { action: given.rung, finding, message: messageFor(finding, given, outlook), explanation };
  return given.rung === "stop" ? { ...decision, status: LOOP_DETECTED } : decision;
}

/** What a fleet in shadow leaves undone. No rung is climbed, so that the first answer afterwards is a mild one. */
export function leftUndone(finding: Finding, { isAttended }: Audience): Decision {
  return decisionOn(finding, FIRST_WORD, true, { isAttended, isShadow: true });
}
