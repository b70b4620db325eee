import type { AgentEvent, CallEvent, ResultEvent, StateEvent, TextEvent } from "../event.ts";
import { byteWriter, digestOfText } from "../identity/byte-writer.ts";
import { type Platform, writeCanonical } from "../identity/canonical.ts";
import { readOutcome, timeOf } from "../identity/outcome.ts";
import { toolLabel } from "../identity/tool-label.ts";
import { didNotRun } from "../judge/did-not-run.ts";
import { isWordy } from "../judge/is-wordy.ts";
import { type Judgement, judgeBlindly, judgeFailure, judgeStep } from "../judge/judge-step.ts";
import { numbersIn } from "../judge/timers.ts";
import { MESSAGE_PREFIX } from "../messages/message-prefix.ts";
import type { ToolRule } from "../policy/tool-rules.ts";
import type { ResolvedProgress } from "../progress/progress-options.ts";
import type { CallFacts } from "./call-facts.ts";
import { identifyCall, uniqueDigest } from "./identify-call.ts";
import { keptId, type OpenCall } from "./open-calls.ts";
import { createRecencyTable } from "./recency-table.ts";
import { breakStreaks, createRunState, type RunState, type SavedRun, saveRunState } from "./run-state.ts";
import type { TextTailOptions } from "./text-stream.ts";
import type { TextRepeat } from "./text-tail.ts";

/** What an event came to, for the detectors that look at its kind. */
export type Moved =
  | { readonly kind: "nothing" }
  /** A call was made; `isJudged` if it was judged without waiting for its outcome. */
  | { readonly kind: "call"; readonly call: OpenCall; readonly isJudged: boolean }
  /** A step was judged with its outcome. */
  | { readonly kind: "step" }
  /** An answer without a call ended. */
  | { readonly kind: "answer" }
  /** Streamed words were read. */
  | { readonly kind: "stream"; readonly stream: "text" | "reasoning"; readonly repeat: TextRepeat };

export interface RunOptions {
  readonly progress: ResolvedProgress;
  readonly ruleOf: (tool: string) => ToolRule;
  readonly platform: Platform;
  readonly streams: TextTailOptions;
  /** Every run of tests counts for a detector that is on. */
  readonly countsTests: boolean;
}

/** One agent's life, as far as it is remembered. */
export interface Run {
  readonly state: RunState;
  take(event: AgentEvent): Moved;
  /** The call that was just taken is not to be run. */
  refuse(call: OpenCall): void;
  save(): SavedRun;
}

const NOTHING: Moved = { kind: "nothing" };
const NO_NUMBERS: readonly number[] = [];
const CACHED_CALLS = 128;
const MAX_KEY = 256;

/** Creates a run, new or as it was saved. */
export function createRun(options: RunOptions, saved?: SavedRun): Run {
  const { progress, ruleOf, platform, streams, countsTests } = options;
  const state = createRunState(streams, saved);
  const { counters } = state;
  const known = createRecencyTable<CallFacts>(CACHED_CALLS);

  const nextRound = (): void => {
    counters.round++;
    counters.isRoundOver = false;
    state.text.clear();
    state.reasoning.clear();
  };

  const isBlind = (): boolean =>
    progress.outcomes === "ignore" ||
    progress.seesResults === false ||
    (progress.seesResults === undefined && counters.results === 0);

  const takeCall = (event: CallEvent): Moved => {
    const tool = toolLabel(event.tool);
    const rule = ruleOf(tool);
    if (isIgnored(rule, event.args)) return NOTHING;
    const identified = identifyCall(event, counters.calls, rule, platform, state.views, known);
    if (progress.seesResults !== false && state.open.isRetry(textOf(event.id), identified.call)) return NOTHING;
    if (!counters.hasRounds && counters.isRoundOver) nextRound();
    state.answers.clear();
    const { call, facts, isComparable } = identified;
    const isNewCall = !state.calls.has(call);
    const id = keptId(textOf(event.id));
    const at = timeOf(event.at);
    const gapMs = state.pace.begin(at);
    if (isNewCall && gapMs !== undefined) state.pace.learn(gapMs);
    const open: OpenCall = {
      id,
      index: counters.calls++,
      round: counters.round,
      tool,
      call,
      facts,
      isComparable,
      isNewCall,
      at,
      isPaused: gapMs !== undefined && state.pace.isPause(gapMs),
      // Only arguments that can be compared are looked at: they hold nothing that runs when it is read.
      isRefused: false,
      isWordy: isComparable && !facts.isCommand && isWordy(event.args),
      numbers: at === undefined || !isComparable ? NO_NUMBERS : numbersIn(event.args),
    };
    state.open.add(open);
    if (!isBlind()) return { kind: "call", call: open, isJudged: false };
    // Without results and without rounds nothing tells parallel calls from calls in turn: each is taken by itself.
    const isAlone = !counters.hasRounds && (counters.results === 0 || progress.outcomes === "ignore");
    const alone = isAlone ? { ...open, round: open.index } : open;
    judgeBlindly(
      state,
      alone,
      { progress, rule, countsTests },
      progress.outcomes === "compare" && progress.seesResults === undefined,
    );
    return { kind: "call", call: open, isJudged: true };
  };

  const takeResult = (event: ResultEvent): Moved => {
    const open = state.open.take(textOf(event.id));
    if (open === undefined) return NOTHING;
    if (isBlind() && progress.outcomes === "compare" && progress.seesResults === undefined) forgetBlindness(state);
    counters.results++;
    counters.isRoundOver = true;
    const judgement: Judgement = { progress, rule: ruleOf(open.tool), countsTests };
    const outcome = readOutcome(event, platform, progress.comparedCharacters);
    state.pace.end(outcome.at);
    // What we refused did not run: it was counted when it was refused.
    if (open.isRefused && outcome.isSynthetic) return NOTHING;
    if (didNotRun(outcome.text, outcome.failure !== undefined)) return NOTHING;
    if (progress.outcomes === "ignore" || progress.seesResults === false)
      judgeFailure(state, open, outcome, countsTests);
    else judgeStep(state, open, outcome, judgement);
    return { kind: "step" };
  };

  const takeText = (event: TextEvent): Moved => {
    if (event.partial === true) state.answers.addPiece(event.text);
    else {
      state.answers.add(event.text);
      counters.isRoundOver = true;
    }
    const repeat = state.text.feed(event.text);
    if (event.partial !== true) state.text.clear();
    if (repeat !== undefined) return { kind: "stream", stream: "text", repeat };
    return event.partial === true ? NOTHING : { kind: "answer" };
  };

  const takeRound = (): Moved => {
    counters.hasRounds = true;
    nextRound();
    return state.answers.endPieces() ? { kind: "answer" } : NOTHING;
  };

  const takeUser = (text: string | undefined): Moved => {
    if (text?.startsWith(MESSAGE_PREFIX) === true) return NOTHING;
    counters.turn++;
    counters.isRoundOver = true;
    state.answers.clear();
    state.text.clear();
    state.reasoning.clear();
    if (progress.userTurn) {
      breakStreaks(state);
      state.checks.clear();
    }
    return NOTHING;
  };

  const takeState = (event: StateEvent): Moved => {
    byteWriter.begin();
    const value = writeCanonical(event.value, platform) ? byteWriter.digest() : uniqueDigest("state", counters.calls);
    if (state.world.measure(digestOfText(event.key.slice(0, MAX_KEY)), value, counters.calls - 1)) breakStreaks(state);
    return NOTHING;
  };

  return {
    state,
    take(event) {
      switch (event.type) {
        case "call":
          return typeof event.tool === "string" ? takeCall(event) : NOTHING;
        case "result":
          return takeResult(event);
        case "text":
          return typeof event.text === "string" ? takeText(event) : NOTHING;
        case "reasoning": {
          const repeat = typeof event.text === "string" ? state.reasoning.feed(event.text) : undefined;
          return repeat === undefined ? NOTHING : { kind: "stream", stream: "reasoning", repeat };
        }
        case "round":
          return takeRound();
        case "user":
          return takeUser(typeof event.text === "string" ? event.text : undefined);
        case "state":
          return typeof event.key === "string" ? takeState(event) : NOTHING;
        case "compaction":
          counters.compaction++;
          return NOTHING;
        default:
          return NOTHING;
      }
    },
    refuse(call) {
      state.open.refuse(call);
      state.calls.touch(call.call, call.index);
      counters.isRoundOver = true;
    },
    save: () => saveRunState(state),
  };
}

/** Foreign fields are what their types say only if somebody looks. */
function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function isIgnored(rule: ToolRule, args: unknown): boolean {
  return typeof rule.ignore === "function" ? rule.ignore(args) === true : rule.ignore === true;
}

/** Results arrive after all: what was judged without them is void. */
function forgetBlindness(state: RunState): void {
  state.calls.clear();
  state.likes.clear();
  state.lags.clear();
  state.news.clear();
  state.recent = [];
}
