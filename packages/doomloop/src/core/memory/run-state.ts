import { setRecent } from "../collections/bounded.ts";
import type { Reason } from "../finding.ts";
import { NO_REQUEST } from "../hints/request.ts";
import type { Digest } from "../identity/digest.ts";
import { createMarks } from "./marks.ts";
import type { Measure } from "./measures.ts";
import type { Step } from "./step.ts";
import type { WordStream } from "./word-stream.ts";

/** What repeats, and how much speaks for a loop in it. Plain data. */
export type Topic = ReturnType<typeof createTopic>;

function createTopic(turn: number, compaction: number) {
  return {
    evidence: 0,
    /** Rounds in which it was seen. */
    count: 0,
    /** The latest step and round of it. */
    index: -1,
    round: -1,
    turn,
    at: undefined as number | undefined,
    /** Checks that were taken for waiting, and the time they took. */
    looks: 0,
    waitedMs: 0,
    /** Laps in a row that brought news, and what the run had learned when it was last seen. */
    newsLaps: 0,
    news: 0,
    /** It began right after an act. */
    isAfterAct: false,
    /** How often it was at the level of words, was told, and when it is told next. */
    shown: 0,
    told: 0,
    nextAt: 0,
    /** The latest steps of it. */
    steps: [] as readonly number[],
    /** The latest repeats that added nothing, and why. */
    passed: [] as readonly { readonly step: number; readonly reason: Reason }[],
    /** Compactions when it was last seen, and how often it was looked at again because of one. */
    compaction,
    recalls: 0,
    /** A hash of the outcome as it was. */
    raw: 0,
    isExact: true,
  };
}

/** Something that was seen once: what a topic begins with if it comes again. */
export type First = Pick<Topic, "index" | "round" | "turn" | "at" | "raw" | "isAfterAct" | "compaction" | "news">;

/** An answer that a tool gives. */
export interface Voice {
  readonly value: Digest;
  calls: readonly string[];
  readonly length: number;
  times: number;
  /** How often a call got it that was made before. */
  repeats: number;
}

/** What a run remembers: plain data with fixed limits. */
export type RunState = ReturnType<typeof createRunState>;

const MAX_TOPICS = 64;
export const MAX_FIRSTS = 192;
/** The latest steps that a run remembers. */
export const MAX_STEPS = 24;

export function createRunState() {
  return {
    calls: 0,
    round: 0,
    turn: 0,
    results: 0,
    compactions: 0,
    hasRounds: false,
    isRoundOver: true,
    /** Steps before this call are not compared any more: the user spoke. */
    from: 0,
    steps: [] as Step[],
    open: [] as Step[],
    refused: [] as Step[],
    topics: new Map<string, Topic>(),
    /** By a hash of the name that a topic would have: most things happen once. */
    firsts: new Map<number, First>(),
    /** Pieces of outcomes; and words that were named, what was called, succeeded, and came of it. */
    pieces: createMarks(),
    met: createMarks(),
    /** The latest outcome of each call. */
    latest: new Map<
      Digest,
      { value: Digest; isFailing: boolean; words: number; numbers: number; sum: number; way: number }
    >(),
    voices: new Map<string, Voice[]>(),
    /** When calls that have failed last passed. */
    passed: new Map<Digest, number>(),
    /** How long the run took to think before its latest new calls. */
    gaps: [] as number[],
    /** When the latest call was made, and when the latest outcome came. */
    calledAt: undefined as number | undefined,
    lastAt: undefined as number | undefined,
    /** Steps in a row that took far too long, pauses included. */
    slowSteps: undefined as number | undefined,
    /** The round of the latest sleep: long ago. */
    sleptIn: -9,
    sleptMs: 0,
    changedAt: -1,
    actedAt: -1,
    /** When something new was last opened or selected, of which nothing was shown. */
    pointedAt: -1,
    newsRound: -1,
    /** How often the run learned something new. */
    news: 0,
    /** Evidence since the run last made progress, whatever the calls. */
    drought: 0,
    /** What the user asks to be done again. */
    wanted: NO_REQUEST,
    /** The stems of the user's earlier words, and how often they came: those that come again are a harness's. */
    userTexts: [] as { readonly stems: readonly number[]; times: number }[],
    /** The host's measures, by name; when one of them last changed; whether there are more than are kept. */
    measures: new Map<string, Measure>(),
    measuredAt: -1,
    hasMoreMeasures: false,
    /** Words since the agent last acted or the user spoke. */
    answers: undefined as Answers | undefined,
    text: undefined as WordStream | undefined,
    reasoning: undefined as WordStream | undefined,
  };
}

/** The topic of this name, made on first use. */
export function topicOf(run: RunState, name: string): Topic {
  const topic = run.topics.get(name) ?? createTopic(run.turn, run.compactions);
  setRecent(run.topics, name, topic, MAX_TOPICS);
  return topic;
}

/** The latest steps since the user spoke, oldest first. */
export function recentSteps({ steps, from }: RunState): readonly Step[] {
  return steps[0] === undefined || steps[0].index >= from ? steps : steps.filter(({ index }) => index >= from);
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

/** Answers without a call, since the agent last acted or the user last spoke. Plain data, without the words themselves. */
export interface Answers {
  count: number;
  /** How many of them repeat an earlier one. */
  repeats: number;
  /** When the latest one ended, if that is known. */
  at: number | undefined;
  /** The hashes of the latest ones. */
  readonly said: number[];
}

const MAX_REMEMBERED = 8;

export function createAnswers(): Answers {
  return { count: 0, repeats: 0, at: undefined, said: [] };
}

export function addAnswer(answers: Answers, hash: number): void {
  const { said } = answers;
  answers.count++;
  if (said.includes(hash)) answers.repeats++;
  else said.push(hash);
  if (said.length > MAX_REMEMBERED) said.shift();
}
