import { setRecent } from "../collections/bounded.ts";
import type { Reason } from "../finding.ts";
import type { Digest } from "../identity/digest.ts";
import type { Answers } from "./answers.ts";
import { createMarks, type Marks } from "./marks.ts";
import type { Measure } from "./measures.ts";
import type { Step } from "./step.ts";
import type { WordStream } from "./word-stream.ts";

/** What repeats, and how much speaks for a loop in it. Plain data. */
export interface Topic {
  evidence: number;
  /** Rounds in which it was seen. */
  count: number;
  /** The latest step and round of it. */
  index: number;
  round: number;
  turn: number;
  at: number | undefined;
  /** Checks that were taken for waiting, and the time they took. */
  looks: number;
  waitedMs: number;
  /** Laps in a row that brought news. */
  newsLaps: number;
  /** It began right after an act. */
  isAfterAct: boolean;
  /** How often it was at the level of words, was told, and when it is told next. */
  shown: number;
  told: number;
  nextAt: number;
  /** The latest steps of it. */
  steps: readonly number[];
  /** The latest repeats that added nothing, and why. */
  passed: readonly { readonly step: number; readonly reason: Reason }[];
  /** Compactions when it was last seen, and how often it was looked at again because of one. */
  compaction: number;
  recalls: number;
  /** A hash of the outcome as it was. */
  raw: number;
  isExact: boolean;
}

/** Something that was seen once: what a topic begins with if it comes again. */
export type First = Pick<Topic, "index" | "round" | "turn" | "at" | "raw" | "isAfterAct" | "compaction">;

/** What was asked for. */
export interface Wanted {
  /** So many times. */
  times: number;
  /** So many things, which may be as many calls. */
  items: number;
  isSeries: boolean;
}

/** An answer that a tool gives. */
export interface Voice {
  readonly value: Digest;
  readonly calls: string[];
  readonly length: number;
  times: number;
  /** How often a call got it that was made before. */
  repeats: number;
}

/** What a run remembers: plain data with fixed limits. */
export interface RunState {
  calls: number;
  round: number;
  turn: number;
  results: number;
  compactions: number;
  hasRounds: boolean;
  isRoundOver: boolean;
  /** Steps before this call are not compared any more: the user spoke. */
  from: number;
  readonly steps: Step[];
  readonly open: Step[];
  readonly refused: Step[];
  readonly topics: Map<string, Topic>;
  readonly firsts: Map<string, First>;
  /** Pieces of outcomes; and words that were named, what was called, succeeded, and came of it. */
  readonly pieces: Marks;
  readonly met: Marks;
  /** The latest outcome of each call. */
  readonly latest: Map<Digest, { value: Digest; isFailing: boolean; length: number }>;
  readonly voices: Map<string, Voice[]>;
  readonly passed: Map<Digest, number>;
  /** How long the run took to think before its latest new calls. */
  readonly gaps: number[];
  /** When the latest call was made, and when anything was last heard. */
  calledAt: number | undefined;
  lastAt: number | undefined;
  sleptIn: number;
  sleptMs: number;
  changedAt: number;
  actedAt: number;
  newsRound: number;
  /** Evidence since the run last made progress, whatever the calls. */
  drought: number;
  wanted: Wanted;
  /** The user's earlier words: those that come again are a harness's. */
  readonly userTexts: { readonly stems: readonly number[] }[];
  /** The host's measures, by name; when one of them last changed; whether there are more than are kept. */
  readonly measures: Map<string, Measure>;
  measuredAt: number;
  hasMoreMeasures: boolean;
  /** Words since the agent last acted or the user spoke. */
  answers: Answers | undefined;
  text: WordStream | undefined;
  reasoning: WordStream | undefined;
  /** What detectors of the host remember, as JSON, by their names. */
  memories: Record<string, string>;
}

const MAX_TOPICS = 64;
export const MAX_FIRSTS = 192;
const MAX_STEPS = 24;
const COMPARED_STEPS = 24;

export function createRunState(): RunState {
  return {
    calls: 0,
    round: 0,
    turn: 0,
    results: 0,
    compactions: 0,
    hasRounds: false,
    isRoundOver: true,
    from: 0,
    steps: [],
    open: [],
    refused: [],
    topics: new Map(),
    firsts: new Map(),
    pieces: createMarks(),
    met: createMarks(),
    latest: new Map(),
    voices: new Map(),
    passed: new Map(),
    gaps: [],
    calledAt: undefined,
    lastAt: undefined,
    sleptIn: -9,
    sleptMs: 0,
    changedAt: -1,
    actedAt: -1,
    newsRound: -1,
    drought: 0,
    wanted: { times: 0, items: 0, isSeries: false },
    userTexts: [],
    measures: new Map(),
    measuredAt: -1,
    hasMoreMeasures: false,
    answers: undefined,
    text: undefined,
    reasoning: undefined,
    memories: {},
  };
}

/** The topic of this name, made on first use. */
export function topicOf(run: RunState, name: string): Topic {
  const topic = run.topics.get(name) ?? {
    evidence: 0,
    count: 0,
    index: -1,
    round: -1,
    turn: run.turn,
    at: undefined,
    looks: 0,
    waitedMs: 0,
    newsLaps: 0,
    isAfterAct: false,
    shown: 0,
    told: 0,
    nextAt: 0,
    steps: [],
    passed: [],
    compaction: run.compactions,
    recalls: 0,
    raw: 0,
    isExact: true,
  };
  setRecent(run.topics, name, topic, MAX_TOPICS);
  return topic;
}

/** The latest steps since the user spoke, oldest first. */
export function recentSteps(run: RunState): readonly Step[] {
  return run.steps.slice(oldestCompared(run));
}

/** The place of the oldest step that is compared. */
export function oldestCompared({ steps, from }: RunState): number {
  let at = Math.max(0, steps.length - COMPARED_STEPS);
  while (at < steps.length && steps[at]!.index < from) at++;
  return at;
}

export function rememberStep(run: RunState, step: Step): void {
  run.steps.push(step);
  if (run.steps.length > MAX_STEPS) run.steps.shift();
}

/** How many rounds some steps span. */
export function roundsOf(steps: readonly Step[]): number {
  let rounds = 0;
  let latest = -1;
  for (const { round } of steps) {
    if (round !== latest) rounds++;
    latest = round;
  }
  return rounds;
}
