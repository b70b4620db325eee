import { setRecent } from "../collections/bounded.ts";
import type { OpinionEvent } from "../event.ts";
import type { Finding, OpinionFinding } from "../finding.ts";
import { loopIdentity } from "../identity/digest.ts";
import { type RunState, recentSteps, topicOf } from "../memory/run-state.ts";
import { isFailing, type Step } from "../memory/step.ts";
import { OPINION_VERDICTS, type OpinionVerdict, type Question, type QuestionReason } from "../question.ts";
import { isAbout } from "./list.ts";
import {
  BELIEVED,
  FEWEST_KNOWN,
  FIRST_HUNCH,
  FIRST_PATROL,
  LATEST_OUTCOMES,
  MONOTONE,
  MONOTONE_OF,
  MOST_APART,
  QUESTIONS_APART,
} from "./numbers.ts";
import type { Sighting } from "./sighting.ts";

/** What was asked, and what came of it. Plain data. */
export type Opinions = ReturnType<typeof createOpinions>;

/** A question that awaits its answer. `name`: the topic whose first words wait for it. */
interface OpenQuestion {
  readonly id: number;
  readonly why: QuestionReason;
  readonly since: number;
  readonly round: number;
  readonly until: number;
  readonly name: string | undefined;
}

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
    topics: new Map<string, { readonly until: number; readonly times: number }>(),
    /** The run was called stuck, and the agent was not told yet. */
    due: undefined as { readonly since: number; readonly name: string | undefined } | undefined,
    /** Called stuck since this call, and without progress since then. */
    stuckSince: -1,
  };
}

const MAX_TOPICS = 16;
const NEIGHBOURS = 3;
/** So many rounds an answer without a finding is of use. */
const HUNCH_LASTS = 8;

/** Whether an opinion says that a topic is work, for now. What is clear beyond doubt is not excused. */
export function isCalledWork({ topics }: Opinions, sighting: Sighting): boolean {
  const known = topics.get(sighting.name);
  return !isBeyondDoubt(sighting) && known !== undefined && sighting.step.round <= known.until;
}

/** The same call again, for which nobody needs to be asked. What others may change can fail until it works. */
function isBeyondDoubt({ kind, isClear, step }: Sighting): boolean {
  const mayPass = step.effect === "watch" && isFailing(step);
  return isClear && !mayPass && (kind === "repeated-call" || kind === "call-cycle");
}

/** Whether an opinion says that the agent is stuck at what this sighting is about. */
export function isCalledStuck({ stuckSince }: Opinions, { step }: Sighting): boolean {
  return stuckSince >= 0 && step.index >= stuckSince;
}

/** The question to ask before the first words about something doubtful, if there is one to ask now. */
export function askFirst(opinions: Opinions, sighting: Sighting, finding: Finding): Question | undefined {
  const { name, topic, step, steps } = sighting;
  const known = opinions.topics.get(name);
  // Asked once, and again as often as it was called work.
  const isAsked = known !== undefined && (known.until < 0 || known.times >= BELIEVED);
  if (isBeyondDoubt(sighting) || topic.told > 0 || opinions.open !== undefined || isAsked) return undefined;
  setRecent(opinions.topics, name, { until: -1, times: known?.times ?? 0 }, MAX_TOPICS);
  const since = Math.min(step.index, ...steps);
  return ask(opinions, step, { why: "confirm", since, until: step.round + 1, name, finding });
}

/** Whether the first words about a topic wait for an answer: for the rest of the round in which it was asked. */
export function waits({ open }: Opinions, { name, step }: Sighting): boolean {
  return open !== undefined && open.name === name && step.round <= open.round;
}

/** The question to ask although nothing is worth words: on a hunch, or because the run is long. */
export function askAnyway(opinions: Opinions, run: RunState, step: Step): Question | undefined {
  if (opinions.open !== undefined && step.round > opinions.open.until) opinions.open = undefined;
  if (opinions.open !== undefined) return undefined;
  const until = step.round + HUNCH_LASTS;
  if (run.calls >= opinions.patrolAt) {
    const { patrolApart } = opinions;
    opinions.patrolAt += patrolApart;
    opinions.patrolApart *= 2;
    const since = Math.max(run.from, run.calls - FIRST_PATROL);
    if (opinions.askedAt < run.calls - patrolApart / 2 && isMonotone(run))
      return ask(opinions, step, { why: "patrol", since, until });
  }
  if (run.calls <= opinions.nextAt || !isHunch(run)) return undefined;
  return ask(opinions, step, { why: "hunch", since: recentSteps(run)[0]!.index, until });
}

/** Most of the latest calls are about what one of the few before was about. */
function isMonotone(run: RunState): boolean {
  const latest = recentSteps(run).slice(-MONOTONE_OF);
  const isAlike = (step: Step, at: number): boolean =>
    latest.slice(Math.max(0, at - NEIGHBOURS), at).some((other) => other.tool === step.tool && isAbout(other, step));
  return latest.filter(isAlike).length >= MONOTONE;
}

/** A few of the latest outcomes were met before. */
function isHunch(run: RunState): boolean {
  const latest = recentSteps(run).slice(-LATEST_OUTCOMES);
  const isKnown = (step: Step): boolean => step.isSeen && !step.isSynthetic && !step.isFirst && !step.isChange;
  return latest.filter(isKnown).length >= FEWEST_KNOWN;
}

function ask(
  opinions: Opinions,
  step: Step,
  about: Omit<OpenQuestion, "id" | "round" | "name"> & { readonly name?: string; readonly finding?: Finding },
): Question {
  const { why, since, until, name, finding } = about;
  const id = ++opinions.asked;
  opinions.open = { id, why, since, until, round: step.round, name };
  opinions.askedAt = step.index;
  opinions.nextAt = step.index + opinions.apart;
  return { id, why, since, latest: step.index, until, ...(finding && { finding }) };
}

/** Takes an answer. Returns what it says; undefined if it answers no open question, and so does nothing. */
export function hearOpinion(opinions: Opinions, run: RunState, event: OpinionEvent): OpinionVerdict | undefined {
  const { open } = opinions;
  const { verdict } = event;
  if (open === undefined || event.question !== open.id || run.round > open.until) return undefined;
  if (!OPINION_VERDICTS.includes(verdict)) return undefined;
  opinions.open = undefined;
  if (verdict === "working") believe(opinions, run, open.name);
  if (verdict === "stuck") {
    const { since = open.since } = event;
    const from = Number.isInteger(since) && since >= 0 && since < run.calls ? since : open.since;
    opinions.due = { since: from, name: open.name };
    opinions.stuckSince = from;
  }
  return verdict;
}

/** It works: what spoke for a loop is taken back, and the next question comes later. */
function believe(opinions: Opinions, run: RunState, name: string | undefined): void {
  opinions.stuckSince = -1;
  opinions.nextAt = run.calls + opinions.apart;
  if (name !== undefined) {
    const times = (opinions.topics.get(name)?.times ?? 0) + 1;
    setRecent(opinions.topics, name, { until: run.round + opinions.apart, times }, MAX_TOPICS);
    Object.assign(topicOf(run, name), { evidence: 0, shown: 0 });
  }
  opinions.apart = Math.min(MOST_APART, 2 * opinions.apart);
}

/** Something happened that no earlier question is about. */
export function beginAnew(opinions: Opinions, run: RunState): void {
  opinions.open = undefined;
  opinions.due = undefined;
  opinions.stuckSince = -1;
  opinions.topics.clear();
  opinions.nextAt = Math.max(opinions.nextAt, run.calls + QUESTIONS_APART);
  opinions.patrolAt = run.calls + FIRST_PATROL;
  opinions.patrolApart = FIRST_PATROL;
}

/** What an opinion says about a run in which no rule has found anything. */
export function opinionAsFinding(run: RunState, since: number, weight: number): OpinionFinding {
  const steps = recentSteps(run).filter(({ index }) => index >= since);
  return {
    kind: "opinion",
    loop: loopIdentity("opinion", String(since)),
    steps: steps.slice(-8).map(({ index }) => index),
    count: run.calls - since,
    weight,
    confidence: 0.8,
    tools: [...new Set(steps.map(({ tool }) => tool))].slice(-8),
    evidence: { since },
  };
}
