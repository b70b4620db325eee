import { pushLatest, setRecent } from "../collections/bounded.ts";
import type { Digest } from "../identity/digest.ts";
import type { Act } from "../reading.ts";
import type { Step } from "../step.ts";
import type { Answers } from "../words/answers.ts";
import { createIntent, type Intent, settleIntent } from "../words/stated-intent.ts";
import type { WordStream } from "../words/word-stream.ts";
import type { KnownOutcome } from "./known-outcome.ts";
import { HISTORY, MAX_NEWS, MAX_SEEN_OUTCOMES } from "./limits.ts";
import { createOpenCalls, type OpenCalls, settleId } from "./open-calls.ts";
import { createPace, type Pace } from "./pauses.ts";
import type { ToldLines } from "./told-lines.ts";
import { forgetView, isLikeEarlier, saidBy, wordsIn } from "./views.ts";
import { createWorld, hasChangedSince, lastChangeOf, mayHaveChanged, type World } from "./world.ts";

/**
 * Where the run learned something: a step that came back with what no step before it had come back with.
 *
 * A step whose outcome is new to its own call may still bring nothing new to the run: "ok" and "Clicked" are the answers of many calls.
 * Equal outcomes are told apart at once; similar ones (the same but for a clock) only when a repeat depends on it.
 */
interface News {
  readonly seen: Map<Digest, true>;
  /** Steps that may be news. */
  candidates: Candidate[];
}

/** A step that may be news. */
interface Candidate {
  readonly index: number;
  readonly round: number;
}

/** What a run remembers: plain data. Every part has a fixed ceiling, whatever the run's length. */
export interface RunState {
  /** Calls so far. */
  calls: number;
  round: number;
  /** The next call begins a new round. */
  isRoundOver: boolean;
  /** The host announces rounds itself. */
  hasRounds: boolean;
  /** How often the user spoke. */
  turn: number;
  compaction: number;
  results: number;
  /** The first call that still counts for streaks and cycles. A word of the user or a new measure moves it on. */
  streaksFrom: number;
  /** The latest call that had never been made before, by its index. */
  lastNewCall: number;
  /** The latest call, by its index, whose outcome was judged. */
  lastJudged: number;
  /** The time that the latest calls slept, which counts for the checks of the next round, and the round in which they slept. */
  lentMs: number;
  lentIn: number;
  readonly open: OpenCalls;
  /** The latest steps in the order in which they were judged. */
  readonly history: Step[];
  /** The outcomes of each call, by exact identity and by identity in substance. The most recent last. */
  readonly byCall: Map<Digest, KnownOutcome[]>;
  readonly byLike: Map<Digest, KnownOutcome[]>;
  readonly world: World;
  readonly news: News;
  /** What user and agent said about repeating and waiting, since the user last spoke. */
  readonly intent: Intent;
  /** The lines that outcomes told. */
  readonly told: ToldLines;
  readonly pace: Pace;
  /** What single detectors remember, by their kind. */
  memories: Record<string, unknown>;
  /** What the agent says; undefined until it says something. */
  answers: Answers | undefined;
  text: WordStream | undefined;
  reasoning: WordStream | undefined;
}

export function createRunState(): RunState {
  return {
    calls: 0,
    round: 0,
    isRoundOver: true,
    hasRounds: false,
    turn: 0,
    compaction: 0,
    results: 0,
    streaksFrom: 0,
    lastNewCall: -1,
    lastJudged: -1,
    lentMs: 0,
    lentIn: -1,
    open: createOpenCalls(),
    history: [],
    byCall: new Map(),
    byLike: new Map(),
    world: createWorld(),
    news: { seen: new Map(), candidates: [] },
    intent: createIntent(),
    told: { marks: [] },
    pace: createPace(),
    memories: {},
    answers: undefined,
    text: undefined,
    reasoning: undefined,
  };
}

/**
 * The state of a run after events were missed: what was seen before proves nothing any more, because anything may have happened since. Where
 * the run stands, how fast it goes, what is under way and what was said about repeating still hold.
 */
export function afterGap(state: RunState): RunState {
  const { calls, round, isRoundOver, hasRounds, turn, compaction, results, open, intent, pace } = state;
  const kept = { calls, round, isRoundOver, hasRounds, turn, compaction, results, open, intent, pace };
  return { ...createRunState(), ...kept, streaksFrom: calls };
}

/** Adds to the latest steps. */
export function remember({ history }: RunState, step: Step): void {
  if (history.length === HISTORY) forgetView(history[0]!);
  pushLatest(history, step, HISTORY);
}

/** The latest steps that count for streaks, oldest first. */
export function recentSteps({ history, streaksFrom }: RunState): readonly Step[] {
  const first = history[0];
  return first === undefined || first.index >= streaksFrom
    ? history
    : history.filter((step) => step.index >= streaksFrom);
}

/**
 * Those of some steps, oldest first, that came after the last change of the world. Steps of unknown effect are no change for each other:
 * they are attempts at one thing.
 */
export function sinceChange({ world, history }: RunState, steps: readonly Step[], act?: Act): readonly Step[] {
  const first = steps[0];
  if (first === undefined || !hasChangedSince(world, first.index, act)) return steps;
  const isOwn = (step: Step): boolean => {
    const { act: own } = step.facts.reading;
    return (own === "steps" || own === "runs") && steps.includes(step);
  };
  const isChange = (step: Step): boolean => step.isNewCall && !isOwn(step) && !step.isSynthetic && mayHaveChanged(step);
  const last = steps.some(isOwn) ? (history.findLast(isChange)?.index ?? -1) : lastChangeOf(world);
  return steps.filter((step) => step.index > Math.max(last, world.lastDelegation));
}

/** Ends all streaks, because the user spoke or a measure is new. What calls came to is still known. */
export function breakStreaks(state: RunState): void {
  state.streaksFrom = state.calls;
}

/** Describes what was put off, so that no raw arguments, results or ids are at rest. */
export function settle(state: RunState): void {
  settleIntent(state.intent);
  for (const step of [...state.history, ...state.open.open, ...state.open.refused]) {
    settleId(step);
    wordsIn(step);
    saidBy(step);
  }
}

/** Forgets what was judged without results, because results arrive after all. */
export function forgetBlindness(state: RunState): void {
  state.byCall.clear();
  state.byLike.clear();
  state.news.candidates = [];
  state.history.length = 0;
  state.memories = {};
}

/** Notes a step that succeeded with an answer which its own call did not have before. */
export function noteNews(news: News, { index, round }: Candidate, outcome: Digest): void {
  const isNew = !news.seen.has(outcome);
  setRecent(news.seen, outcome, true, MAX_SEEN_OUTCOMES);
  if (isNew) pushLatest(news.candidates, { index, round }, MAX_NEWS);
}

/** Whether the run has learned something in a later round than this. */
export function hasLearnedSince({ news, history }: RunState, round: number): boolean {
  return news.candidates.some((candidate) => {
    if (candidate.round <= round) return false;
    const step = history.find(({ index }) => index === candidate.index);
    return step === undefined || !isLikeEarlier(step, history, "others' words");
  });
}
