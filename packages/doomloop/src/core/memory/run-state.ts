import type { Digest } from "../identity/digest.ts";
import { createNews, type News, type SavedNews } from "../judge/news.ts";
import { createOccurrences, type Occurrences, type SavedOccurrences } from "../judge/occurrences.ts";
import { createPace, type Pace, type SavedPace } from "../judge/pace.ts";
import { createWorld, type SavedWorld, type World } from "../progress/world.ts";
import type { Step } from "../step.ts";
import { type Answers, createAnswers, type SavedAnswers } from "./answers.ts";
import { type CallFacts, restoreFacts, type SavedFacts, saveFacts } from "./call-facts.ts";
import { type CheckRecord, type Checks, createChecks, type SavedChecks } from "./checks.ts";
import { createFailures, type Failures, type SavedFailures } from "./failures.ts";
import { createLagRuns, type LagRuns, type SavedLagRuns } from "./lag-runs.ts";
import { createOpenCalls, type OpenCalls, type SavedOpenCalls } from "./open-calls.ts";
import { createOutcomeViews, type OutcomeViews, type SavedViews } from "./outcome-views.ts";
import type { TextTailOptions } from "./text-stream.ts";
import { createTextTail, type TextTail, type TextTailState } from "./text-tail.ts";

/** How many distinct calls a run remembers. */
const CALLS = 112;
/** How many fingerprints, for calls that are the same in substance only. */
const LIKES = 24;
const RECENT = 24;

/** A step as the detectors of similarity need it. */
export interface RecentStep {
  readonly index: number;
  readonly round: number;
  readonly tool: string;
  readonly call: Digest;
  readonly facts: CallFacts;
  readonly outcome: Digest;
  readonly isFailing: boolean;
  readonly isTelling: boolean;
  readonly isNothing: boolean;
  /** Length of the outcome. */
  readonly length: number;
}

/** Where a run stands. */
interface Counters {
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
  /** The latest call that had never been made before, by its index. */
  lastNewCall: number;
  /** The latest call, by its index, whose outcome was judged. */
  lastJudged: number;
  /** Time that the latest calls slept, for the look that follows. */
  lentMs: number;
}

/** What a run remembers. Every part has a fixed ceiling, whatever the run's length. */
export interface RunState {
  readonly counters: Counters;
  readonly open: OpenCalls;
  readonly views: OutcomeViews;
  /** By exact identity. */
  readonly calls: Occurrences;
  /** By identity in substance. */
  readonly likes: Occurrences;
  readonly lags: LagRuns;
  readonly failures: Failures;
  readonly checks: Checks;
  readonly world: World;
  readonly news: News;
  readonly pace: Pace;
  readonly answers: Answers;
  readonly text: TextTail;
  readonly reasoning: TextTail;
  /** The latest steps since something changed, oldest first. */
  recent: RecentStep[];
  /** The step that was judged last; not saved: it belongs to the event that brought it. */
  latest: Step | undefined;
  /** What its failure means for the check that it is. */
  check: CheckRecord | undefined;
}

/** A run's memory as data. */
export interface SavedRun {
  readonly counters: Counters;
  readonly open: SavedOpenCalls;
  readonly views: SavedViews;
  readonly calls: SavedOccurrences;
  readonly likes: SavedOccurrences;
  readonly lags: SavedLagRuns;
  readonly failures: SavedFailures;
  readonly checks: SavedChecks;
  readonly world: SavedWorld;
  readonly news: SavedNews;
  readonly pace: SavedPace;
  readonly answers: SavedAnswers;
  readonly text: TextTailState;
  readonly reasoning: TextTailState;
  readonly recent: readonly SavedRecent[];
}

type SavedRecent = readonly [number, number, string, Digest, SavedFacts, Digest, number, number];

/** Creates the memory of a new run, or of a saved one. */
export function createRunState(streams: TextTailOptions, saved?: SavedRun): RunState {
  const views = createOutcomeViews(saved?.views);
  return {
    counters: {
      calls: 0,
      round: 0,
      isRoundOver: true,
      hasRounds: false,
      turn: 0,
      compaction: 0,
      results: 0,
      lastNewCall: -1,
      lastJudged: -1,
      lentMs: 0,
      ...saved?.counters,
    },
    open: createOpenCalls(saved?.open),
    views,
    calls: createOccurrences(CALLS, "equality", views, saved?.calls),
    likes: createOccurrences(LIKES, "substance", views, saved?.likes),
    lags: createLagRuns(saved?.lags),
    failures: createFailures(saved?.failures),
    checks: createChecks(saved?.checks),
    world: createWorld(saved?.world),
    news: createNews(views, saved?.news),
    pace: createPace(saved?.pace),
    answers: createAnswers(saved?.answers),
    text: createTextTail(streams, saved?.text),
    reasoning: createTextTail(streams, saved?.reasoning),
    recent: (saved?.recent ?? []).map(restoreRecent),
    latest: undefined,
    check: undefined,
  };
}

/** The memory as one value; parts of it are the run's own until they are packed. */
export function saveRunState(state: RunState): SavedRun {
  const { counters, open, views, calls, likes, lags, failures, checks, world, news, pace, answers, text, reasoning } =
    state;
  const saved: SavedRun = {
    counters,
    open: open.save(),
    views: views.save(),
    calls: calls.save(),
    likes: likes.save(),
    lags: lags.save(),
    failures: failures.save(),
    checks: checks.save(),
    world: world.save(),
    news: news.save(),
    pace: pace.save(),
    answers: answers.save(),
    text: text.save(),
    reasoning: reasoning.save(),
    recent: state.recent.map(saveRecent),
  };
  return saved;
}

function saveRecent(step: RecentStep): SavedRecent {
  const flags = (step.isFailing ? 1 : 0) | (step.isTelling ? 2 : 0) | (step.isNothing ? 4 : 0);
  return [step.index, step.round, step.tool, step.call, saveFacts(step.facts), step.outcome, flags, step.length];
}

function restoreRecent([index, round, tool, call, facts, outcome, flags, length]: SavedRecent): RecentStep {
  return {
    index,
    round,
    tool,
    call,
    facts: restoreFacts(facts),
    outcome,
    isFailing: (flags & 1) !== 0,
    isTelling: (flags & 2) !== 0,
    isNothing: (flags & 4) !== 0,
    length,
  };
}

/** Adds to the latest steps. */
export function remember(state: RunState, step: RecentStep): void {
  state.recent.push(step);
  if (state.recent.length > RECENT) state.recent.shift();
}

/** Forgets what a user's word makes void: streaks, not identities. */
export function breakStreaks(state: RunState): void {
  state.failures.clear();
  state.lags.clear();
  if (state.recent.length > 0) state.recent = [];
}

/** Those of the latest steps that came after the last change of the world. */
export function sinceChange(state: RunState, steps: readonly RecentStep[]): readonly RecentStep[] {
  const first = steps[0];
  if (first === undefined || !state.world.hasChangedSince(first.index)) return steps;
  return steps.filter((step) => step.index > state.world.lastChange());
}
