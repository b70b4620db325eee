import type { CallEvent } from "./event.ts";
import { type FleetScope, scopeOf } from "./fleet-scope.ts";
import { type ArgumentText, callIdentity, readArguments, toolLabel } from "./identity/call-identity.ts";
import { type Digest, uniqueDigest } from "./identity/digest.ts";
import type { Platform } from "./identity/platform.ts";
import { numbersIn } from "./judge/waiting.ts";
import { keptId } from "./memory/open-calls.ts";
import { isPause } from "./memory/pauses.ts";
import type { RunState } from "./memory/run-state.ts";
import { timeOf } from "./outcome/read-outcome.ts";
import { type CallFacts, readFacts } from "./progress/call-facts.ts";
import type { Step } from "./step.ts";
import type { ToolRule } from "./tool-rule.ts";

/** A call's identity, and its arguments if they can be compared. A call that cannot be compared equals no other. */
interface IdentifiedCall {
  readonly event: CallEvent;
  readonly call: Digest;
  readonly args: unknown;
  readonly kept: ArgumentText | undefined;
}

/** The rules by which a call is read. */
interface StepRules {
  readonly rule: ToolRule;
  /** Only its primary arguments are compared. */
  readonly isPrimary: boolean;
  /** The run is in a fleet. */
  readonly isInFleet: boolean;
}

/** Arguments of this length say what is done, not only that it is done. */
const CONTENT_LENGTH = 40;
/** A text of this length is a message, a thought, a statement; and how many fields are looked at, how deep. */
const WORDY_LENGTH = 60;
const WORDY_FIELDS = 8;
const WORDY_DEPTH = 1;
const NO_NUMBERS: readonly number[] = [];

/** Gives a call its exact identity: tool and canonical arguments. `index` tells calls apart that cannot be compared. */
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
    hasContent: !facts.isCommand && kept !== undefined && kept.end - (kept.fields[0] ?? kept.end) >= CONTENT_LENGTH,
    numbers: at === undefined ? NO_NUMBERS : numbersIn(args),
    facts,
    scope: rules.isInFleet ? fleetScopeOf(facts, args, rules.rule) : undefined,
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

/** Reads a call, unless an equal one was read before. */
function factsFor(
  state: RunState,
  { event, call, args }: IdentifiedCall,
  { rule, isPrimary }: StepRules,
  platform: Platform,
): CallFacts {
  const changes = rule.changes ?? (typeof event.readOnly === "boolean" ? !event.readOnly : undefined);
  const equal = state.byCall.has(call) ? state.history.findLast((step) => step.call === call) : undefined;
  if (equal !== undefined && equal.facts.changes === changes) return equal.facts;
  return readFacts({ tool: event.tool, args, changes }, { declared: rule.identity, isPrimary }, platform);
}

/** Whose world a call is about: by the host's word, or else by its arguments. */
function fleetScopeOf(facts: CallFacts, args: unknown, { fleet }: ToolRule): FleetScope {
  const said = typeof fleet === "function" ? fleet(args) : fleet;
  return said === "shared" || said === "own" || said === "never" ? said : scopeOf(facts, args);
}

/** Whether arguments say something at length: a message, a thought, a statement, a patch. */
export function isWordy(args: unknown, depth = 0): boolean {
  if (typeof args === "string") return args.length >= WORDY_LENGTH && args.includes(" ");
  if (typeof args !== "object" || args === null || depth > WORDY_DEPTH) return false;
  const keys = Object.keys(args).slice(0, WORDY_FIELDS);
  return keys.some((key) => isWordy(Object.getOwnPropertyDescriptor(args, key)?.value, depth + 1));
}
