import { withLatest } from "./collections/bounded.ts";
import type { Seen } from "./detectors/index.ts";
import { isBarren } from "./rows.ts";
import { QUIET, type Stage } from "./stage.ts";
import { isVain, type Step } from "./step.ts";
import { worthOf } from "./worth.ts";

/** Something that may be repeating, and how much speaks for a loop in it. */
export interface Topic {
  readonly id: number;
  /** In plain repeats. The first occurrence is 1, so levels are numbers of calls. */
  readonly evidence: number;
  readonly count: number;
  readonly round: number;
  readonly steps: readonly number[];
  /** How the world was when it was last seen. */
  readonly world: World;
  /** Checks of something that takes its time, and how long they waited. */
  readonly checks: number;
  readonly waitedMs: number;
  /** It began right after an act: it may be a look at what comes of that. */
  readonly isAfterAct: boolean;
  /** Something new was learned in its latest lap. */
  readonly hasNews: boolean;
}

/** What makes the same call another attempt: the user spoke, something was changed, something was learned. */
interface World {
  readonly turn: number;
  readonly changes: number;
  readonly news: number;
  /** How often the conversation was compacted, as far as that is an excuse. */
  readonly compactions: number;
}

/** All that the heart remembers of a run: plain data of a bounded size. */
export interface Memory {
  readonly world: World;
  /** The latest steps of this turn. */
  readonly recent: readonly Step[];
  readonly topics: readonly Topic[];
  readonly stage: Stage;
  /** Evidence since the last progress, over all topics. */
  readonly drought: number;
}

const MOST_RECENT = 24;
const MOST_TOPICS = 72;
const MOST_STEPS = 8;
const MOST_COMPACTIONS = 3;

export const EMPTY: Memory = {
  world: { turn: 0, changes: 0, news: 0, compactions: 0 },
  recent: [],
  topics: [],
  stage: QUIET,
  drought: 0,
};

export function topicOf({ topics }: Memory, id: number): Topic | undefined {
  for (let at = topics.length - 1; at >= 0; at--) if (topics[at]!.id === id) return topics[at];
  return undefined;
}

/** The memory after a step, with what was seen in it. The oldest topics are forgotten. */
export function remember(memory: Memory, step: Step, seen: readonly Seen[]): Memory {
  const world = worldAfter(memory.world, step);
  return {
    world,
    recent: withLatest(memory.recent, step, MOST_RECENT),
    topics: topicsAfter(memory.topics, step, seen, world),
    stage: memory.stage,
    drought: droughtAfter(memory, step, seen),
  };
}

function worldAfter(world: World, { progress }: Step): World {
  if (progress === "none") return world;
  return progress === "news" ? { ...world, news: world.news + 1 } : { ...world, changes: world.changes + 1 };
}

function topicsAfter(topics: readonly Topic[], step: Step, seen: readonly Seen[], world: World): readonly Topic[] {
  const kept = topics.filter(({ id }) => !seen.some((each) => each.about === id));
  const most = MOST_TOPICS - seen.length;
  const next = kept.length > most ? kept.slice(kept.length - most) : kept;
  for (const { about, evidence, count, steps, checks = 0, waitedMs = 0, isAfterAct = false, hasNews = false } of seen)
    next.push({
      id: about,
      evidence,
      count,
      round: step.round,
      steps: steps.slice(-MOST_STEPS),
      world,
      checks,
      waitedMs,
      isAfterAct,
      hasNews,
    });
  return next;
}

/** A repeat adds what it is worth, and so does a new call that brings nothing; what may lead somewhere ends the drought. */
function droughtAfter({ drought }: Memory, step: Step, seen: readonly Seen[]): number {
  if (step.progress !== "none") return 0;
  if (!step.isNewCall) return drought + Math.max(0, ...seen.map(({ added = 0 }) => added));
  if (isVain(step)) return drought;
  return isBarren(step) ? drought + worthOf(step) : 0;
}

/** The user spoke, or the host measured progress: what came before speaks for nothing any more. */
export function newTurn({ world }: Memory): Memory {
  return { ...EMPTY, world: { ...world, turn: world.turn + 1 } };
}

/** An agent that forgot what it had read may look again, but not for ever. */
export function compacted(memory: Memory): Memory {
  const { world } = memory;
  return { ...memory, world: { ...world, compactions: Math.min(MOST_COMPACTIONS, world.compactions + 1) } };
}

/** The memory with a part of its topics, the latest. */
export function trimmedTo(memory: Memory, part: number): Memory {
  const { topics } = memory;
  return { ...memory, topics: topics.slice(topics.length - Math.floor(topics.length * part)) };
}
