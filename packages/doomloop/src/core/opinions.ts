import { setRecent } from "./collections/bounded.ts";
import type { Seen } from "./detectors/index.ts";
import type { OpinionEvent } from "./event.ts";
import type { Finding, OpinionFinding } from "./finding.ts";
import { loopIdentity } from "./identity/digest.ts";
import type { Memory } from "./memory.ts";
import { OPINION_VERDICTS, type OpinionVerdict, type Question, type QuestionReason } from "./question.ts";
import { isAbout } from "./rows.ts";
import { isVain, type Step } from "./step.ts";

/** What was asked, and what came of it. Plain data. */
export type Opinions = ReturnType<typeof createOpinions>;

/** A question that awaits its answer. `about`: the topic whose first words wait for it. */
interface OpenQuestion {
  readonly id: number;
  readonly why: QuestionReason;
  readonly since: number;
  readonly round: number;
  readonly until: number;
  readonly about: number | undefined;
}

/** Somebody may be asked on a hunch after so many calls, if so many of the latest results were met before. */
const FIRST_HUNCH = 7;
const LATEST_STEPS = 5;
const FEWEST_VAIN = 3;
/** Calls from one question to the next, at first and at most: twice as many after every "working". */
const QUESTIONS_APART = 8;
const MOST_APART = 64;
/** A run is monotonous if so many of its latest calls are about what one of the few before was about. */
const MONOTONE_OF = 12;
const MONOTONE = 10;
const NEIGHBOURS = 3;
/** Calls since the user spoke after which a monotonous run is asked about if nobody was asked before; again after twice as many. */
const FIRST_PATROL = 20;
/** How often a topic is left alone because it is called work: a judge may be fooled. */
const MAX_WORKING = 2;
const MAX_TOPICS = 16;
/** So many rounds an answer without a finding is of use. */
const HUNCH_LASTS = 8;

export function createOpinions() {
  return {
    asked: 0,
    open: undefined as OpenQuestion | undefined,
    /** The latest call that was asked about. */
    askedAt: -1,
    /** The call from which on somebody may be asked on a hunch, and how far apart that is; the same for a run that only is long. */
    nextAt: FIRST_HUNCH,
    apart: QUESTIONS_APART,
    patrolAt: FIRST_PATROL,
    patrolApart: FIRST_PATROL,
    /** Topics that were asked about: until which round they are work, and how often that was said. */
    topics: new Map<number, { readonly until: number; readonly times: number }>(),
    /** The run was called stuck, and the agent was not told yet. */
    due: undefined as { readonly since: number; readonly about: number | undefined } | undefined,
    /** Called stuck since this call, and without progress since then. */
    stuckSince: -1,
  };
}

/** Whether an opinion says that a topic is work, for now. What is clear beyond doubt is not excused. */
export function isCalledWork({ topics }: Opinions, seen: Seen, step: Step): boolean {
  const known = topics.get(seen.about);
  return known !== undefined && step.round <= known.until && !isBeyondDoubt(seen, step);
}

/** The same call again, for which nobody needs to be asked. What others may change can fail until it works. */
function isBeyondDoubt({ kind, isClear }: Seen, step: Step): boolean {
  const mayPass = step.effect === "watch" && isVain(step);
  return isClear && !mayPass && (kind === "repeated-call" || kind === "call-cycle");
}

/** Whether an opinion says that the agent is stuck at what this step is about. */
export function isCalledStuck({ stuckSince }: Opinions, { index }: Step): boolean {
  return stuckSince >= 0 && index >= stuckSince;
}

/** The question to ask before the first words about something doubtful, if there is one to ask now. */
export function askFirst(opinions: Opinions, seen: Seen, step: Step, finding: Finding): Question | undefined {
  const { about } = seen;
  const known = opinions.topics.get(about);
  // Asked once, and again as often as it was called work.
  const isAsked = known !== undefined && (known.until < 0 || known.times >= MAX_WORKING);
  if (isBeyondDoubt(seen, step) || opinions.open !== undefined || isAsked) return undefined;
  setRecent(opinions.topics, about, { until: -1, times: known?.times ?? 0 }, MAX_TOPICS);
  const since = Math.min(step.index, ...seen.steps);
  return ask(opinions, step, { why: "confirm", since, until: step.round + 1, about, finding });
}

/** Whether the first words about a topic wait for an answer: for the rest of the round in which it was asked. */
export function waits({ open }: Opinions, { about }: Seen, step: Step): boolean {
  return open !== undefined && open.about === about && step.round <= open.round;
}

/** The question to ask although nothing is worth words: on a hunch, or because the run is long. */
export function askAnyway(opinions: Opinions, { recent }: Memory, from: number, step: Step): Question | undefined {
  if (opinions.open !== undefined && step.round > opinions.open.until) opinions.open = undefined;
  if (opinions.open !== undefined) return undefined;
  const until = step.round + HUNCH_LASTS;
  const calls = step.index + 1;
  if (calls >= opinions.patrolAt) {
    const { patrolApart } = opinions;
    opinions.patrolAt += patrolApart;
    opinions.patrolApart *= 2;
    const since = Math.max(from, calls - FIRST_PATROL);
    if (opinions.askedAt < calls - patrolApart / 2 && isMonotone(recent))
      return ask(opinions, step, { why: "patrol", since, until });
  }
  if (calls <= opinions.nextAt || !isHunch(recent)) return undefined;
  return ask(opinions, step, { why: "hunch", since: recent[0]!.index, until });
}

/** Most of the latest calls are about what one of the few before was about. */
function isMonotone(recent: readonly Step[]): boolean {
  const latest = recent.slice(-MONOTONE_OF);
  const isAlike = (step: Step, at: number): boolean =>
    latest.slice(Math.max(0, at - NEIGHBOURS), at).some((other) => other.tool === step.tool && isAbout(other, step));
  return latest.filter(isAlike).length >= MONOTONE;
}

/** A few of the latest results were met before. */
function isHunch(recent: readonly Step[]): boolean {
  const isKnown = ({ index, result, progress }: Step): boolean =>
    progress === "none" && recent.some((other) => other.index < index && other.result === result);
  return recent.slice(-LATEST_STEPS).filter(isKnown).length >= FEWEST_VAIN;
}

function ask(
  opinions: Opinions,
  step: Step,
  given: Omit<OpenQuestion, "id" | "round" | "about"> & { readonly about?: number; readonly finding?: Finding },
): Question {
  const { why, since, until, about, finding } = given;
  const id = ++opinions.asked;
  opinions.open = { id, why, since, until, round: step.round, about };
  opinions.askedAt = step.index;
  opinions.nextAt = step.index + opinions.apart;
  return { id, why, since, latest: step.index, until, ...(finding && { finding }) };
}

/** Where a run stands when an opinion comes. */
interface Now {
  readonly round: number;
  readonly calls: number;
}

/** Takes an answer. Returns what it says; undefined if it answers no open question, and so does nothing. */
export function hearOpinion(opinions: Opinions, now: Now, event: OpinionEvent): OpinionVerdict | undefined {
  const { open } = opinions;
  const { verdict } = event;
  if (open === undefined || event.question !== open.id || now.round > open.until) return undefined;
  if (!OPINION_VERDICTS.includes(verdict)) return undefined;
  opinions.open = undefined;
  if (verdict === "working") believe(opinions, now, open.about);
  if (verdict === "stuck") {
    const { since = open.since } = event;
    const from = Number.isInteger(since) && since >= 0 && since < now.calls ? since : open.since;
    opinions.due = { since: from, about: open.about };
    opinions.stuckSince = from;
  }
  return verdict;
}

/** It works: the topic is left alone for a while, and the next question comes later. */
function believe(opinions: Opinions, { calls, round }: Now, about: number | undefined): void {
  opinions.stuckSince = -1;
  opinions.nextAt = calls + opinions.apart;
  if (about !== undefined) {
    const times = (opinions.topics.get(about)?.times ?? 0) + 1;
    setRecent(opinions.topics, about, { until: round + opinions.apart, times }, MAX_TOPICS);
  }
  opinions.apart = Math.min(MOST_APART, 2 * opinions.apart);
}

/** Something happened that no earlier question is about. */
export function beginAnew(opinions: Opinions, calls: number): void {
  opinions.open = undefined;
  opinions.due = undefined;
  opinions.stuckSince = -1;
  opinions.topics.clear();
  opinions.nextAt = Math.max(opinions.nextAt, calls + QUESTIONS_APART);
  opinions.patrolAt = calls + FIRST_PATROL;
  opinions.patrolApart = FIRST_PATROL;
}

/** What an opinion says about a run in which no rule has found anything. */
export function opinionAsFinding({ recent }: Memory, calls: number, since: number, weight: number): OpinionFinding {
  const steps = recent.filter(({ index }) => index >= since);
  return {
    kind: "opinion",
    loop: loopIdentity("opinion", String(since)),
    steps: steps.slice(-8).map(({ index }) => index),
    count: calls - since,
    weight,
    confidence: 0.8,
    tools: [...new Set(steps.map(({ tool }) => tool))].slice(-8),
    evidence: { since },
  };
}
