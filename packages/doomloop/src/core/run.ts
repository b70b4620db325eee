import type { AgentEvent, CallEvent, OpinionEvent, ResultEvent, StateEvent, TextEvent } from "./event.ts";
import { type TellMisuse, untold } from "./faults.ts";
import type { FleetView } from "./fleet-view.ts";
import { HINTS, type Hints } from "./hints/index.ts";
import { createHostMistakes, hasClock, notePace } from "./host-mistakes.ts";
import { readArguments, toolLabel } from "./identity/call-identity.ts";
import { digestOfValue } from "./identity/canonical.ts";
import { type Digest, digestOf, uniqueDigest } from "./identity/digest.ts";
import type { Platform } from "./identity/read-object.ts";
import { createManyRuns } from "./many-runs.ts";
import type { ToolRule } from "./policy/tool-rules.ts";
import { namedFields } from "./reading/call.ts";
import { MAX_MEASURES, type measure, measure as noteMeasure } from "./reading/measures.ts";
import { isRetry, keptId, MAX_OPEN, refuseCall, takeCall } from "./reading/open-calls.ts";
import { type CallTerms, completeStep, identityOfCall, openCall, readNextCall } from "./reading/read-step.ts";
import { MESSAGE_PREFIX, readResult, timeOf } from "./reading/result.ts";
import { createRunMemory, type OpenCall, type RunMemory } from "./reading/run-memory.ts";
import { withAnswer } from "./reading/talk.ts";
import { hearUser } from "./reading/user.ts";
import {
  createWordStream,
  hashOf,
  type RepeatedTextOptions,
  readStream,
  type TextRepeat,
} from "./reading/word-stream.ts";
import type { Step } from "./step.ts";

/** What an event came to. */
export type EventEffect =
  | { readonly kind: "nothing" | "user" | "compaction" }
  /** The host took a measure of the world. */
  | { readonly kind: "measure"; readonly key: Digest; readonly value: ReturnType<typeof measure> }
  /** Somebody answers a question. */
  | { readonly kind: "opinion"; readonly event: OpinionEvent }
  /** An answer without a call ended. */
  | { readonly kind: "answer" }
  /** A call was made. `isBlind`: the run shows no results, so it is judged now or never. */
  | { readonly kind: "call"; readonly open: OpenCall; readonly isBlind: boolean }
  /** A call came back; `text` is what it says, `isExact` that it said the same before to the letter. */
  | {
      readonly kind: "step";
      readonly open: OpenCall;
      readonly step: Step;
      readonly text: string;
      readonly isExact: boolean;
      readonly isSynthetic: boolean;
    }
  | { readonly kind: "stream"; readonly stream: "text" | "reasoning"; readonly repeat: TextRepeat };

export interface RunOptions {
  readonly ruleOf: (tool: string) => ToolRule;
  readonly platform: Platform;
  readonly streams: RepeatedTextOptions;
  readonly patienceMs: number;
  readonly tellMisuse?: TellMisuse;
  /** Reads whose world calls are about, if the run is in a fleet. */
  readonly fleet?: Pick<FleetView, "scopeOf"> | undefined;
  /** Somebody compares calls to the letter. */
  readonly needsStrict?: boolean;
  readonly hints?: Hints;
}

/** One agent's life, as far as it is remembered. */
export type Run = ReturnType<typeof createRun>;

const NOTHING: EventEffect = { kind: "nothing" };
const MAX_STATE_KEY = 256;

/** Creates a run that keeps what it remembers in `memory`. */
export function createRun(options: RunOptions, memory: RunMemory = createRunMemory()) {
  const { ruleOf, platform, streams, tellMisuse = untold, hints = HINTS } = options;
  const reader = { hints, platform };
  const mistakes = createHostMistakes(tellMisuse);
  const manyRuns = createManyRuns(tellMisuse);

  const nextRound = (): void => {
    memory.round++;
    mistakes.round();
    memory.isRoundOver = false;
  };

  const takeCallEvent = (event: CallEvent): EventEffect => {
    const rule = ruleOf(toolLabel(event.tool));
    // The agent has acted, so what it said was no answer without a call.
    memory.answers = undefined;
    memory.text = undefined;
    memory.reasoning = undefined;
    if (isIgnored(rule, event.args)) {
      mistakes.unheard();
      return NOTHING;
    }
    if (memory.hasRounds) mistakes.call();
    const terms = termsFor(event, rule, options);
    const read = readNextCall(memory, event, terms, reader);
    const isWatchedFor = rule.repeat === "never";
    if (Array.isArray(rule.identity) && namedFields(readArguments(event.args), rule.identity, platform) === undefined)
      mistakes.unnamed(event.tool, rule.identity, isWatchedFor);
    notePace(memory, "pause", Number(timeOf(event.at)) - Number(memory.lastAt));
    if (!read.isComparable) mistakes.opaque("args", event.tool, isWatchedFor);
    if (isRetry(memory, keptId(event.id), identityOfCall(memory, read))) return NOTHING;
    if (!memory.hasRounds && memory.isRoundOver) nextRound();
    if (memory.open.length === MAX_OPEN) mistakes.unheard();
    const open = openCall(memory, event, terms, read);
    if (memory.hasRounds) manyRuns.call(event.id, open.call.round);
    return { kind: "call", open, isBlind: memory.results === 0 };
  };

  const takeResult = (event: ResultEvent): EventEffect => {
    const open = takeCall(memory, keptId(event.id));
    if (open === undefined) {
      mistakes.stray(memory.results > 0);
      return NOTHING;
    }
    mistakes.paired();
    if (memory.hasRounds) manyRuns.result(open.call.round);
    memory.isRoundOver = true;
    memory.results++;
    const result = readResult(event, hints, platform);
    const isSynthetic = event.synthetic === true;
    if (!result.isComparable && !isSynthetic) mistakes.opaque("output", open.call.tool, false);
    notePace(memory, "call", Number(result.at) - Number(open.at));
    if (!hasClock(memory)) mistakes.clock();
    if (result.at !== undefined) memory.lastAt = Math.max(memory.lastAt ?? result.at, result.at);
    // A call that we refused was counted then. One that the host refuses is made in vain like any other.
    if ((isSynthetic && open.isRefused) || event.cancelled === true) return NOTHING;
    if (hints.didNotRun(result.text) && result.error !== false) return NOTHING;
    const read = isSynthetic ? { ...result, error: true } : result;
    // What cannot be compared equals nothing, for whoever compares texts.
    const text = result.isComparable ? result.text : uniqueDigest("output", open.call.index);
    return { kind: "step", open, text, isSynthetic, ...completeStep(memory, open, read, hints) };
  };

  /** Ends an answer without a call: the words since the agent last acted. */
  const endAnswer = (at?: number): EventEffect => {
    const said = memory.text ?? memory.reasoning;
    if (said === undefined) return NOTHING;
    memory.answers = withAnswer(memory.answers, hashOf(said), at);
    memory.text = undefined;
    memory.reasoning = undefined;
    return { kind: "answer" };
  };

  const takeText = (event: TextEvent): EventEffect => {
    memory.text ??= createWordStream();
    const repeat = readStream(memory.text, event.text, streams);
    if (event.partial !== true) memory.isRoundOver = true;
    const effect = event.partial === true ? NOTHING : endAnswer(timeOf(event.at));
    return repeat === undefined ? effect : { kind: "stream", stream: "text", repeat };
  };

  const takeReasoning = (text: string): EventEffect => {
    memory.reasoning ??= createWordStream();
    const repeat = readStream(memory.reasoning, text, streams);
    return repeat === undefined ? NOTHING : { kind: "stream", stream: "reasoning", repeat };
  };

  const takeUser = (text: string): EventEffect => {
    if (text.startsWith(MESSAGE_PREFIX) || !hearUser(memory, text, hints)) return NOTHING;
    beginTurn(memory);
    manyRuns.user();
    return { kind: "user" };
  };

  const takeState = (event: StateEvent): EventEffect => {
    const written = digestOfValue(event.value, platform);
    if (written === undefined) tellMisuse("state value", "state: value cannot be compared; use a string or a number");
    const key = digestOf(event.key.slice(0, MAX_STATE_KEY));
    const value = noteMeasure(memory, key, written ?? uniqueDigest("state", memory.calls));
    if (memory.hasMoreMeasures)
      tellMisuse("state keys", `state: ${MAX_MEASURES} keys are compared; the others are ignored`);
    return { kind: "measure", key, value };
  };

  const take = (given: AgentEvent): EventEffect => {
    const event = "at" in given && !hasClock(memory) ? { ...given, at: undefined } : given;
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
        memory.hasRounds = true;
        nextRound();
        return endAnswer();
      case "user":
        return takeUser(typeof event.text === "string" ? event.text : "");
      case "state":
        return typeof event.key === "string" ? takeState(event) : NOTHING;
      case "compaction":
        return { kind: "compaction" };
      case "opinion":
        return { kind: "opinion", event };
      default:
        return NOTHING;
    }
  };

  return {
    memory,
    take,
    /** Whether several runs seem to share the guard. */
    isShared: manyRuns.isNoticed,
    /** The guard refuses the call that was just taken. */
    refuse(open: OpenCall): void {
      refuseCall(memory, open);
      mistakes.unheard();
      // The refusal is what came back.
      if (open.at !== undefined) memory.lastAt = Math.max(memory.lastAt ?? open.at, open.at);
      memory.isRoundOver = true;
    },
  };
}

/** The user spoke: what came before is no evidence any more. */
function beginTurn(memory: RunMemory): void {
  memory.isRoundOver = true;
  memory.answers = undefined;
  memory.text = undefined;
  memory.reasoning = undefined;
  memory.from = memory.calls;
  if (hasClock(memory)) memory.slowSteps = undefined;
}

/** Events were missed: what was seen before is no evidence any more, but the run goes on counting, and what was asked for still holds. */
export function afterGap({ calls, round, results, hasRounds, gaps, request, userTexts, named }: RunMemory): RunMemory {
  return {
    ...createRunMemory(),
    ...{ calls, results, hasRounds, gaps, request, userTexts, named },
    round: round + 1,
    from: calls,
  };
}

function termsFor(event: CallEvent, rule: ToolRule, options: RunOptions): CallTerms {
  const { patienceMs, fleet, needsStrict = false } = options;
  const { poll, identity } = rule;
  return {
    changes: rule.changes ?? (typeof event.readOnly === "boolean" ? !event.readOnly : undefined),
    identity,
    isPoll: Boolean(poll),
    // What the host says of a tool comes before what its name says.
    isWayOut: rule.wayOut ?? (rule.repeat === "never" ? false : undefined),
    patienceMs: typeof poll === "object" ? poll.patienceMs : patienceMs,
    needsStrict: needsStrict || rule.repeat === "never",
    needsFingerprint: fleet !== undefined,
    scope: fleet?.scopeOf(event.tool, readArguments(event.args), rule),
  };
}

function isIgnored({ ignore }: ToolRule, args: unknown): boolean {
  return typeof ignore === "function" ? ignore(args) === true : ignore === true;
}
