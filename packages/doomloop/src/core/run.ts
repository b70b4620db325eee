import { setRecent } from "./collections/bounded.ts";
import type { AgentEvent, CallEvent, ResultEvent, StateEvent, TextEvent } from "./event.ts";
import type { EventEffect } from "./event-effect.ts";
import { type TellMisuse, untold } from "./faults.ts";
import { createHostMistakes } from "./host-mistakes.ts";
import { toolLabel } from "./identity/call-identity.ts";
import { canonicalOf } from "./identity/canonical.ts";
import { digestOf, uniqueDigest } from "./identity/digest.ts";
import type { Platform } from "./identity/platform.ts";
import { judgeStep } from "./judge/judge-step.ts";
import { recordStep } from "./judge/record-step.ts";
import type { Situation } from "./judge/situation.ts";
import { judgeFailure, takeOutcome, UNSEEN } from "./judge/take-outcome.ts";
import { latestOf } from "./memory/known-outcome.ts";
import { MAX_MEASURES, MAX_OPEN } from "./memory/limits.ts";
import { isRetry, openCall, refuseCall, takeCall } from "./memory/open-calls.ts";
import { endPause } from "./memory/pauses.ts";
import { breakStreaks, createRunState, forgetBlindness, type RunState } from "./memory/run-state.ts";
import { measure } from "./memory/world.ts";
import { MESSAGE_PREFIX } from "./message-prefix.ts";
import { identifyCall, newStep } from "./new-step.ts";
import { didNotRun } from "./outcome/answer-says.ts";
import { type Outcome, readOutcome } from "./outcome/read-outcome.ts";
import type { ResolvedProgress } from "./progress/progress-options.ts";
import type { JudgedStep, Step } from "./step.ts";
import type { ToolRule } from "./tool-rule.ts";
import { addAnswer, createAnswers } from "./words/answers.ts";
import { hearAgent, hearUser } from "./words/stated-intent.ts";
import { createWordStream, hashOf, type RepeatedTextOptions, readStream } from "./words/word-stream.ts";

export interface RunOptions {
  readonly progress: ResolvedProgress;
  readonly ruleOf: (tool: string) => ToolRule;
  readonly platform: Platform;
  readonly streams: RepeatedTextOptions;
  readonly tellMisuse?: TellMisuse;
  /** The host's own detectors see raw arguments and outputs. */
  readonly showsRaw?: boolean;
  /** Each step notes whose world it is about. */
  readonly isInFleet?: boolean;
}

/** One agent's life, as far as it is remembered. */
export interface Run {
  readonly state: RunState;
  take(event: AgentEvent): EventEffect;
  /** The guard refuses the call that was just taken. */
  refuse(step: Step): void;
}

const NOTHING: EventEffect = { kind: "nothing" };
const USER: EventEffect = { kind: "user" };
const MAX_STATE_KEY = 256;

/** Creates a run that keeps what it remembers in `state`. */
export function createRun(options: RunOptions, state: RunState = createRunState()): Run {
  const { progress, ruleOf, platform, streams, tellMisuse = untold, showsRaw = false, isInFleet = false } = options;
  const { outcomes, seesResults, userTurn } = progress;
  /** The host does not say whether results will come: if none has come so far, the guard infers that none will. */
  const isInferred = outcomes === "compare" && seesResults === undefined;

  const isBlind = (): boolean => outcomes === "ignore" || !(seesResults ?? state.results > 0);

  /** The arguments of open calls. Not part of what is saved. */
  const rawArgs = new Map<number, unknown>();

  /** First the judgement, which changes nothing, then the record of it. */
  const judge = (step: Step, rule: ToolRule, outcome: Outcome | undefined, output?: unknown): JudgedStep => {
    const blindness = outcome !== undefined ? "none" : isInferred ? "inferred" : "known";
    const situation: Situation = { state, step, rules: { progress, rule }, outcome, blindness };
    const judged = judgeStep(situation);
    recordStep(situation, judged);
    return showsRaw ? { ...judged, raw: { args: rawArgs.get(step.index), output } } : judged;
  };

  const mistakes = createHostMistakes(tellMisuse);

  const nextRound = (): void => {
    state.round++;
    mistakes.round();
    state.isRoundOver = false;
    state.reasoning = undefined;
  };

  const takeCallEvent = (event: CallEvent): EventEffect => {
    const rule = ruleOf(toolLabel(event.tool));
    // The agent has acted, so what it said was no answer without a call.
    state.answers = undefined;
    state.text = undefined;
    if (isIgnored(rule, event.args)) {
      mistakes.unheard();
      return NOTHING;
    }
    const identified = identifyCall(event, state.calls, platform);
    if (state.hasRounds) mistakes.call();
    if (identified.kept === undefined) mistakes.opaque("args", event.tool, rule.repeat === "never");
    if (seesResults !== false && isRetry(state.open, idOf(event.id), identified.call)) return NOTHING;
    if (!state.hasRounds && state.isRoundOver) nextRound();
    const isAlone = isBlind() && !state.hasRounds && (state.results === 0 || outcomes === "ignore");
    const isPrimary = progress.comparedArguments === "primary";
    const step = newStep(state, identified, { rule, isPrimary, isInFleet }, platform);
    state.calls++;
    if (state.open.open.length === MAX_OPEN) mistakes.unheard();
    openCall(state.open, step);
    if (showsRaw) setRecent(rawArgs, step.index, event.args, MAX_OPEN);
    if (!isBlind()) return { kind: "call", step, judged: undefined };
    // If nothing tells parallel calls from calls in turn, each counts as a round of its own.
    const alone = { ...step, round: isAlone ? step.index : step.round, outcome: UNSEEN };
    return { kind: "call", step, judged: judge(alone, rule, undefined) };
  };

  const takeResult = (event: ResultEvent): EventEffect => {
    const step = takeCall(state.open, idOf(event.id));
    if (step === undefined) {
      mistakes.stray(state.results > 0);
      return NOTHING;
    }
    if (isBlind() && isInferred) forgetBlindness(state);
    mistakes.paired();
    state.results++;
    state.isRoundOver = true;
    const outcome = readOutcome(event, platform, progress.comparedCharacters);
    if (outcome.digest === undefined && !outcome.isSynthetic) mistakes.opaque("output", step.tool, false);
    endPause(state.pace, outcome.at);
    step.id = undefined;
    // A refused call did not run. It was counted when it was refused.
    if (step.isRefused && outcome.isSynthetic) return NOTHING;
    if (event.cancelled === true || didNotRun(outcome.text, outcome.failure !== undefined)) return NOTHING;
    if (outcomes === "ignore" || seesResults === false) {
      // The step was remembered when the call was made.
      const remembered = state.history.find(({ index }) => index === step.index) ?? step;
      remembered.id = undefined;
      return { kind: "step", judged: judgeFailure(remembered, outcome) };
    }
    takeOutcome(step, outcome);
    return { kind: "step", judged: judge(step, ruleOf(step.tool), outcome, event.output) };
  };

  const takeText = (event: TextEvent): EventEffect => {
    hearAgent(state.intent, event.text);
    state.text ??= createWordStream();
    const repeat = readStream(state.text, event.text, streams);
    if (event.partial !== true) state.isRoundOver = true;
    const effect = event.partial === true ? NOTHING : endAnswer();
    return repeat === undefined ? effect : { kind: "stream", stream: "text", repeat };
  };

  const takeReasoning = (text: string): EventEffect => {
    state.reasoning ??= createWordStream();
    const repeat = readStream(state.reasoning, text, streams);
    return repeat === undefined ? NOTHING : { kind: "stream", stream: "reasoning", repeat };
  };

  /** Ends an answer without a call: the words since the agent last acted. */
  const endAnswer = (): EventEffect => {
    if (state.text === undefined) return NOTHING;
    state.answers ??= createAnswers();
    addAnswer(state.answers, hashOf(state.text));
    state.text = undefined;
    return { kind: "answer" };
  };

  const takeRound = (): EventEffect => {
    state.hasRounds = true;
    nextRound();
    return endAnswer();
  };

  const takeUser = (text: string | undefined): EventEffect => {
    if (text?.startsWith(MESSAGE_PREFIX) === true) return NOTHING;
    state.isRoundOver = true;
    state.answers = undefined;
    state.text = undefined;
    state.reasoning = undefined;
    if (!userTurn) return USER;
    hearUser(state.intent, text);
    state.turn++;
    breakStreaks(state);
    state.memories = {};
    return USER;
  };

  const takeState = (event: StateEvent): EventEffect => {
    const written = canonicalOf(event.value, platform);
    const value = written === undefined ? uniqueDigest("state", state.calls) : digestOf(written.text);
    if (written === undefined) tellMisuse("state value", "state: value cannot be compared; use a string or a number");
    if (measure(state.world, digestOf(event.key.slice(0, MAX_STATE_KEY)), value, state.calls - 1)) breakStreaks(state);
    if (state.world.hasMoreMeasures)
      tellMisuse("state keys", `state: ${MAX_MEASURES} keys are compared; the others are ignored`);
    return NOTHING;
  };

  return {
    state,
    take(event) {
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
          return takeRound();
        case "user":
          return takeUser(typeof event.text === "string" ? event.text : undefined);
        case "state":
          return typeof event.key === "string" ? takeState(event) : NOTHING;
        case "compaction":
          state.compaction++;
          return NOTHING;
        default:
          return NOTHING;
      }
    },
    refuse(step) {
      refuseCall(state.open, step);
      mistakes.unheard();
      // The refusal is what came back.
      endPause(state.pace, step.at);
      const latest = latestOf(state.byCall.get(step.call));
      // Nothing lies between the refused call and the next.
      if (latest !== undefined) latest.index = step.index;
      state.isRoundOver = true;
    },
  };
}

/** Reads a foreign id, which may be of any type. An empty one counts as missing: some servers send it with every call. */
function idOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function isIgnored({ ignore }: ToolRule, args: unknown): boolean {
  return typeof ignore === "function" ? ignore(args) === true : ignore === true;
}
