import { pushLatest } from "../collections/bounded.ts";
import type { Digest } from "../identity/digest.ts";
import { factsOf } from "../progress/call-facts.ts";
import type { Act } from "../reading.ts";
import type { Step } from "../step.ts";
import type { Answers } from "../words/answers.ts";
import { createIntent, type Intent, settleIntent } from "../words/stated-intent.ts";
import type { WordStream } from "../words/word-stream.ts";
import type { KnownOutcome } from "./known-outcome.ts";
import { createNews, hasNewsSince, type News } from "./news.ts";
import { createOpenCalls, type OpenCalls, settleId } from "./open-calls.ts";
import { createPace, type Pace } from "./pace.ts";
import type { ToldLines } from "./told-lines.ts";
import { forgetView, saidBy, wordsIn } from "./views.ts";
import { createWorld, hasChangedSince, lastChangeOf, mayHaveChanged, settleWorld, type World } from "./world.ts";

/** How many of the latest steps are remembered closely. */
const HISTORY = 24;

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
  /** The first call that still counts for streaks and cycles: those before it were ended by the user, or by a measure. */
  streaksFrom: number;
  /** The latest call that had never been made before, by its index. */
  lastNewCall: number;
  /** The latest call, by its index, whose outcome was judged. */
  lastJudged: number;
  /** Time that the latest calls slept, for the looks of the round that follows, and the round in which they did. */
  lentMs: number;
  lentIn: number;
  readonly open: OpenCalls;
  /** The latest steps in the order in which they were judged. */
  readonly history: Step[];
  /** What came of each call, by exact identity, and by identity in substance. The most recent last. */
  readonly byCall: Map<Digest, KnownOutcome[]>;
  readonly byLike: Map<Digest, KnownOutcome[]>;
  readonly world: World;
  readonly news: News;
  /** What was said about repeating and waiting, since the user last spoke. */
  readonly intent: Intent;
  /** What outcomes told, line by line. */
  readonly told: ToldLines;
  readonly pace: Pace;
  /** What single detectors remember, by their kind. */
  memories: Record<string, unknown>;
  /** What the agent says; undefined until there is something to remember. */
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
    news: createNews(),
    intent: createIntent(),
    told: { marks: [] },
    pace: createPace(),
    memories: {},
    answers: undefined,
    text: undefined,
    reasoning: undefined,
  };
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
 * Those of some steps, oldest first, that came after the last change of the world. What nobody knows, and what may have changed something by
 * itself, is no change for others of its kind: they are attempts at one thing.
 */
export function sinceChange({ world, history }: RunState, steps: readonly Step[], act?: Act): readonly Step[] {
  const first = steps[0];
  if (first === undefined || !hasChangedSince(world, first.index, act)) return steps;
  const isOwn = (step: Step): boolean => {
    const { act: own } = factsOf(step).reading;
    return (own === "steps" || own === "runs") && steps.includes(step);
  };
  const isChange = (step: Step): boolean => step.isNewCall && !isOwn(step) && !step.isSynthetic && mayHaveChanged(step);
  const last = steps.some(isOwn) ? (history.findLast(isChange)?.index ?? -1) : lastChangeOf(world);
  return steps.filter((step) => step.index > Math.max(last, world.lastDelegation));
}

/** Whether the run has learned something since a round. */
export function hasLearnedSince({ news, history }: RunState, round: number): boolean {
  return hasNewsSince(news, round, history);
}

/** Ends what a user's word or a new measure makes void: streaks, not identities. */
export function breakStreaks(state: RunState): void {
  state.streaksFrom = state.calls;
}

/** Reads what was put off, so that no raw arguments, results or ids are at rest. */
export function settle(state: RunState): void {
  settleWorld(state.world);
  settleIntent(state.intent);
  for (const step of [...state.history, ...state.open.open, ...state.open.refused]) {
    settleId(step);
    factsOf(step);
    wordsIn(step);
    saidBy(step);
  }
}

/** Results arrive after all: what was judged without them is void. */
export function forgetBlindness(state: RunState): void {
  state.byCall.clear();
  state.byLike.clear();
  state.news.candidates = [];
  state.history.length = 0;
  state.memories = {};
}
