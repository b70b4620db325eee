import type { CallEvent } from "./event.ts";
import { type ArgumentText, callIdentity, readArguments, toolLabel } from "./identity/call-identity.ts";
import { type Digest, uniqueDigest } from "./identity/digest.ts";
import type { Platform } from "./identity/platform.ts";
import { isWordy } from "./judge/is-wordy.ts";
import { numbersIn } from "./judge/timers.ts";
import { keptId } from "./memory/open-calls.ts";
import { isPause } from "./memory/pace.ts";
import type { RunState } from "./memory/run-state.ts";
import { timeOf } from "./outcome/read-outcome.ts";
import { type LazyFacts, readLazily } from "./progress/call-facts.ts";
import type { Step } from "./step.ts";
import type { ToolRule } from "./tool-rule.ts";

/** A call's identity, and its arguments if they can be compared: what cannot equals nothing, and is not looked at. */
export interface IdentifiedCall {
  readonly event: CallEvent;
  readonly call: Digest;
  readonly args: unknown;
  readonly kept: ArgumentText | undefined;
}

/** By what a call is read. */
export interface StepRules {
  readonly rule: ToolRule;
  /** Only its primary arguments are compared. */
  readonly isPrimary: boolean;
}

/** As many characters of arguments say what is done, not only that it is. */
const CONTENT = 40;
const NO_NUMBERS: readonly number[] = [];

/** Gives a call its exact identity: tool and canonical arguments. `index` tells apart what cannot be compared. */
export function identifyCall(event: CallEvent, index: number, platform: Platform): IdentifiedCall {
  const args = readArguments(event.args);
  const identity = callIdentity(event.tool, args, platform);
  if (identity === undefined) return { event, call: uniqueDigest("call", index), args: undefined, kept: undefined };
  return { event, call: identity.digest, args, kept: identity.args };
}

/** The step that begins with a call. */
export function newStep(state: RunState, identified: IdentifiedCall, rules: StepRules, platform: Platform): Step {
  const { event, call, args, kept } = identified;
  const at = timeOf(event.at);
  const isNewCall = !state.byCall.has(call);
  const facts = factsFor(state, identified, rules, platform);
  return {
    index: state.calls,
    round: state.round,
    tool: toolLabel(event.tool),
    call,
    isComparable: kept !== undefined,
    isNewCall,
    at,
    isPaused: isPause(state.pace, at, isNewCall),
    isWordy: !facts.isCommand && isWordy(args),
    hasContent: !facts.isCommand && kept !== undefined && kept.end - (kept.fields[0] ?? kept.end) >= CONTENT,
    numbers: at === undefined ? NO_NUMBERS : numbersIn(args),
    facts,
    id: keptId(typeof event.id === "string" && event.id !== "" ? event.id : undefined),
    isRefused: false,
    arguments: kept && { text: kept, words: [] },
    said: undefined,
    isSeen: false,
    outcome: call,
    length: 0,
    failure: undefined,
    isEmpty: false,
    isTelling: false,
    isNothing: false,
    isMute: false,
    isSynthetic: false,
    pieces: 0,
    fresh: 0,
    hasSlept: false,
    isNews: false,
    isExcused: false,
  };
}

/** What was read of an equal call is not read again. */
function factsFor(
  state: RunState,
  { event, call, args }: IdentifiedCall,
  { rule, isPrimary }: StepRules,
  platform: Platform,
): LazyFacts {
  const changes = rule.changes ?? (typeof event.readOnly === "boolean" ? !event.readOnly : undefined);
  const equal = state.byCall.has(call) ? state.history.findLast((step) => step.call === call) : undefined;
  if (equal !== undefined && equal.facts.changes === changes) return equal.facts;
  return readLazily({ tool: event.tool, args, changes }, { declared: rule.identity, isPrimary }, platform);
}
