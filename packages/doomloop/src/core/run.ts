import type { AgentEvent, CallEvent, OpinionEvent, ResultEvent, StateEvent, TextEvent } from "./event.ts";
import { namedFields, newStep, type StepTerms } from "./evidence/new-step.ts";
import { hearUser } from "./evidence/request.ts";
import { takeOutcome } from "./evidence/take-outcome.ts";
import { withAnswer } from "./evidence/talk.ts";
import { type TellMisuse, untold } from "./faults.ts";
import type { FleetView } from "./fleet-view.ts";
import { createHostMistakes, hasClock, notePace } from "./host-mistakes.ts";
import { readArguments, toolLabel } from "./identity/call-identity.ts";
import { digestOfValue } from "./identity/canonical.ts";
import { digestOf, uniqueDigest } from "./identity/digest.ts";
import type { Platform } from "./identity/read-object.ts";
import { createManyRuns } from "./many-runs.ts";
import { MAX_MEASURES, measure } from "./memory/measures.ts";
import { isRetry, keptId, MAX_OPEN, openCall, refuseCall, takeCall } from "./memory/open-calls.ts";
import { createRunState, type RunState, rememberStep } from "./memory/run-state.ts";
import type { Step } from "./memory/step.ts";
import {
  createWordStream,
  hashOf,
  type RepeatedTextOptions,
  readStream,
  type TextRepeat,
} from "./memory/word-stream.ts";
import { didNotRun } from "./outcome/answer-says.ts";
import { MESSAGE_PREFIX, type Outcome, readOutcome, timeOf } from "./outcome/read-outcome.ts";
import type { ToolRule } from "./policy/tool-rules.ts";

/** What an event came to. */
export type EventEffect =
  | { readonly kind: "nothing" | "user" | "progress" }
  /** Somebody answers a question. */
  | { readonly kind: "opinion"; readonly event: OpinionEvent }
  /** An answer without a call ended. */
  | { readonly kind: "answer" }
  /** A call was made. `isBlind`: the run shows no results, so it is judged now or never. */
  | { readonly kind: "call"; readonly step: Step; readonly isBlind: boolean }
  /** A call came back; `text` is what it says. */
  | { readonly kind: "step"; readonly step: Step; readonly text: string }
  | { readonly kind: "stream"; readonly stream: "text" | "reasoning"; readonly repeat: TextRepeat };

export interface RunOptions {
  readonly ruleOf: (tool: string) => ToolRule;
  readonly platform: Platform;
  readonly streams: RepeatedTextOptions;
  readonly patienceMs: number;
  readonly tellMisuse?: TellMisuse;
  /** Reads calls and failures, if the run is in a fleet. */
  readonly fleet?: Pick<FleetView, "scopeOf" | "isRemote"> | undefined;
}

/** One agent's life, as far as it is remembered. */
export type Run = ReturnType<typeof createRun>;

const NOTHING: EventEffect = { kind: "nothing" };
const MAX_STATE_KEY = 256;

/** Creates a run that keeps what it remembers in `state`. */
export function createRun(options: RunOptions, state: RunState = createRunState()) {
  const { ruleOf, platform, streams, tellMisuse = untold, fleet } = options;
  const mistakes = createHostMistakes(tellMisuse);
  const manyRuns = createManyRuns(tellMisuse);
  const isBlind = (): boolean => state.results === 0;

  const nextRound = (): void => {
    state.round++;
    mistakes.round();
    state.isRoundOver = false;
  };

  const takeCallEvent = (event: CallEvent): EventEffect => {
    const rule = ruleOf(toolLabel(event.tool));
    // The agent has acted, so what it said was no answer without a call.
    state.answers = undefined;
    state.text = undefined;
    state.reasoning = undefined;
    if (isIgnored(rule, event.args)) {
      mistakes.unheard();
      return NOTHING;
    }
    if (state.hasRounds) mistakes.call();
    const step = newStep(state, event, termsFor(event, rule, options), platform);
    const { identity } = rule;
    if (Array.isArray(identity) && namedFields(readArguments(event.args), identity, platform) === undefined)
      mistakes.unnamed(event.tool, identity, rule.repeat === "never");
    notePace(state, "pause", Number(step.at) - Number(state.lastAt));
    if (!step.isComparable) mistakes.opaque("args", event.tool, rule.repeat === "never");
    if (isRetry(state, keptId(event.id), step.call)) return NOTHING;
    if (!state.hasRounds && state.isRoundOver) nextRound();
    step.round = state.round;
    state.calls++;
    if (state.open.length === MAX_OPEN) mistakes.unheard();
    openCall(state, step);
    if (state.hasRounds) manyRuns.call(event.id, step.round);
    if (!isBlind()) return { kind: "call", step, isBlind: false };
    // If nothing tells parallel calls from calls in turn, each counts as a round of its own.
    const alone = { ...step, id: undefined, round: state.hasRounds ? step.round : step.index };
    rememberStep(state, alone);
    return { kind: "call", step: alone, isBlind: true };
  };

  const takeResult = (event: ResultEvent): EventEffect => {
    const step = takeCall(state, keptId(event.id));
    if (step === undefined) {
      mistakes.stray(state.results > 0);
      return NOTHING;
    }
    mistakes.paired();
    if (state.hasRounds) manyRuns.result(step.round);
    state.isRoundOver = true;
    step.id = undefined;
    // What was judged without results counts no more.
    if (state.results === 0) state.steps.length = 0;
    state.results++;
    const outcome = differing(readOutcome(event, platform), step.index);
    if (!outcome.isComparable && !outcome.isSynthetic) mistakes.opaque("output", step.tool, false);
    notePace(state, "call", Number(outcome.at) - Number(step.at));
    if (!hasClock(state)) mistakes.clock();
    if (outcome.at !== undefined) state.lastAt = Math.max(state.lastAt ?? outcome.at, outcome.at);
    // A call that we refused was counted then. One that the host refuses is made in vain like any other.
    if ((outcome.isSynthetic && step.isRefused) || event.cancelled === true) return NOTHING;
    takeOutcome(state, step, outcome);
    if (step.failure !== undefined && step.scope === "address" && fleet?.isRemote(outcome.text) === true)
      step.failure = { ...step.failure, isRemote: true };
    if (didNotRun(outcome.text, step.failure !== undefined)) return NOTHING;
    return { kind: "step", step, text: outcome.text };
  };

  /** Ends an answer without a call: the words since the agent last acted. */
  const endAnswer = (at?: number): EventEffect => {
    const said = state.text ?? state.reasoning;
    if (said === undefined) return NOTHING;
    state.answers = withAnswer(state.answers, hashOf(said), at);
    state.text = undefined;
    state.reasoning = undefined;
    return { kind: "answer" };
  };

  const takeText = (event: TextEvent): EventEffect => {
    state.text ??= createWordStream();
    const repeat = readStream(state.text, event.text, streams);
    if (event.partial !== true) state.isRoundOver = true;
    const effect = event.partial === true ? NOTHING : endAnswer(timeOf(event.at));
    return repeat === undefined ? effect : { kind: "stream", stream: "text", repeat };
  };

  const takeReasoning = (text: string): EventEffect => {
    state.reasoning ??= createWordStream();
    const repeat = readStream(state.reasoning, text, streams);
    return repeat === undefined ? NOTHING : { kind: "stream", stream: "reasoning", repeat };
  };

  const takeUser = (text: string): EventEffect => {
    if (text.startsWith(MESSAGE_PREFIX) || !hearUser(state, text)) return NOTHING;
    beginTurn(state);
    manyRuns.user();
    return { kind: "user" };
  };

  const takeState = (event: StateEvent): EventEffect => {
    const written = digestOfValue(event.value, platform);
    const value = written ?? uniqueDigest("state", state.calls);
    if (written === undefined) tellMisuse("state value", "state: value cannot be compared; use a string or a number");
    const isProgress = measure(state, digestOf(event.key.slice(0, MAX_STATE_KEY)), value);
    if (state.hasMoreMeasures)
      tellMisuse("state keys", `state: ${MAX_MEASURES} keys are compared; the others are ignored`);
    if (!isProgress) return NOTHING;
    state.drought = 0;
    return { kind: "progress" };
  };

  const take = (given: AgentEvent): EventEffect => {
    const event = "at" in given && !hasClock(state) ? { ...given, at: undefined } : given;
    switch (event.type) {
      case "call":
        return typeof event.tool === "string" ? takeCallEvent(event) : NOTHING;
      case "result":
        return takeResult(event);
      case "text":
        return typeof event.text === "string" ? takeText(event) : NOTHING;
      case "reasoning":
        return typeof event.text === "string" ? takeReasoning(event.text) : NOTHING;
      case "round":
        state.hasRounds = true;
        nextRound();
        return endAnswer();
      case "user":
        return takeUser(typeof event.text === "string" ? event.text : "");
      case "state":
        return typeof event.key === "string" ? takeState(event) : NOTHING;
      case "compaction":
        state.compactions++;
        return NOTHING;
      case "opinion":
        return { kind: "opinion", event };
      default:
        return NOTHING;
    }
  };

  return {
    state,
    take,
    /** Whether several runs seem to share the guard. */
    isShared: manyRuns.isNoticed,
    /** The guard refuses the call that was just taken. */
    refuse(step: Step): void {
      refuseCall(state, step);
      mistakes.unheard();
      // The refusal is what came back.
      if (step.at !== undefined) state.lastAt = Math.max(state.lastAt ?? step.at, step.at);
      state.isRoundOver = true;
    },
  };
}

/** The user spoke: what came before is no evidence any more. */
function beginTurn(state: RunState): void {
  state.isRoundOver = true;
  state.answers = undefined;
  state.text = undefined;
  state.reasoning = undefined;
  state.turn++;
  state.from = state.calls;
  state.drought = 0;
  if (hasClock(state)) state.slowSteps = undefined;
}

/** Events were missed: what was seen before is no evidence any more, but the run goes on counting, and what was asked for still holds. */
export function afterGap({ calls, round, turn, results, hasRounds, gaps, wanted, userTexts }: RunState): RunState {
  const kept = { calls, results, hasRounds, gaps, wanted, userTexts };
  return { ...createRunState(), ...kept, round: round + 1, turn: turn + 1, from: calls };
}

function termsFor(event: CallEvent, rule: ToolRule, options: RunOptions): StepTerms {
  const { patienceMs, fleet } = options;
  const { poll, identity } = rule;
  return {
    changes: rule.changes ?? (typeof event.readOnly === "boolean" ? !event.readOnly : undefined),
    identity,
    isPoll: Boolean(poll),
    // What the host says of a tool comes before what its name says.
    isWayOut: rule.wayOut ?? (rule.repeat === "never" ? false : undefined),
    patienceMs: typeof poll === "object" ? poll.patienceMs : patienceMs,
    scopeOf: fleet && ((read) => fleet.scopeOf(read, rule, event.args)),
  };
}

/** What cannot be compared equals nothing: it is taken for a word that no other outcome has. */
function differing(outcome: Outcome, index: number): Outcome {
  if (outcome.isComparable) return outcome;
  const text = uniqueDigest("output", index);
  return { ...outcome, text, length: Math.max(outcome.length, text.length) };
}

function isIgnored({ ignore }: ToolRule, args: unknown): boolean {
  return typeof ignore === "function" ? ignore(args) === true : ignore === true;
}
