import { type Answer, FIRST_WORD, type Rung, THE_END } from "./answer.ts";
import type { AgentEvent } from "./event.ts";
import { safely } from "./faults.ts";
import type { Finding } from "./finding.ts";
import type { Wording } from "./messages/wording.ts";
import type { Question } from "./question.ts";

/** The status of a run that the guard ended, for the failure handling of a host. */
export const LOOP_DETECTED = "LOOP_DETECTED";

/** Nothing is done. In shadow mode, `would` says what would have been done, `finding` and `explanation` what was seen. */
interface ContinueDecision {
  readonly action: "continue";
  readonly would?: Rung;
  readonly finding?: Finding;
  readonly explanation?: string;
  /** A second opinion is asked for. Only with the option `questions`. */
  readonly question?: Question;
  readonly message?: undefined;
  readonly status?: undefined;
}

/** Something is done about a loop. */
interface Deed<Does extends string> {
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
  readonly question?: Question;
  /** The call finishes, gives up, hands over or asks a person. If you can't end the run, let the call run: it is never refused. */
  readonly isWayOut?: true;
  /** The id of the call at which the run ends, of a stop or a restart, if the call has one. */
  readonly callId?: string;
  /** `message` comes from `onDecision`. */
  readonly hasOwnWords?: true;
  readonly status?: undefined;
}

/** The run is over. */
interface StopDecision extends Omit<Deed<"stop">, "status" | "next"> {
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
export type Decision = ContinueDecision | Deed<"nudge"> | Deed<"block"> | Deed<"restart"> | StopDecision;

/** What to do, mildest first. */
export type Action = Decision["action"];

/** What a host does instead of a decision. The guard fills in the texts that it leaves out. */
export interface OwnDecision {
  readonly action: Action;
  readonly message?: string | undefined;
  readonly explanation?: string | undefined;
}

export const CONTINUE: Decision = Object.freeze({ action: "continue" });

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

/** A decision that ends the run, with the call at which it ends. Any other decision is returned as it is. */
export function atCall(decision: Decision, event: AgentEvent): Decision {
  // In a list, because nobody may look inside what is no text.
  const [id]: readonly unknown[] = safely(() => ["id" in event ? event.id : undefined]) ?? [];
  const isEnd = decision.action === "stop" || decision.action === "restart";
  return isEnd && typeof id === "string" ? { ...decision, callId: id } : decision;
}

/** The answer to every further call of a run that this finding has ended. */
export function stillStopped(finding: Finding, audience: Audience): Decision {
  const decision = decisionOn(finding, THE_END, true, audience);
  return decision.action === "stop" ? { ...decision, isAlreadyStopped: true as const } : decision;
}

/** The decision at a way out. The run may end there, but the call is not refused: then `otherwise` holds. */
export function atWayOut(decision: Decision, otherwise: Decision = CONTINUE): Decision {
  if (decision.action === "block") return otherwise;
  return decision.action === "stop" || decision.action === "restart"
    ? { ...decision, isWayOut: true as const }
    : decision;
}

/** The decision of a guard whose fleet is in shadow mode. No rung is climbed, so that the first answer afterwards is a mild one. */
export function leftUndone(finding: Finding, audience: Audience): Decision {
  return decisionOn(finding, FIRST_WORD, true, { ...audience, isShadow: true });
}
