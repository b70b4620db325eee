import { inOnePiece, setRecent } from "../collections/bounded.ts";
import { type First, MAX_FIRSTS, type RunState, type Topic, topicOf } from "../memory/run-state.ts";
import { isFailing, type Step } from "../memory/step.ts";
import { acknowledges, saysWhatChanged } from "../outcome/answer-says.ts";
import { hashWith } from "./new-step.ts";
import {
  ASKED_FOR,
  ATTEMPT,
  LAP,
  LONG_ANSWER,
  MUTE_LENGTH,
  QUIET,
  SILENCE_SHOWS,
  SUBSTANCE,
  VALUE_LENGTH,
  VALUE_TELLS,
  WATCHED_FAILURE,
} from "./numbers.ts";
import { askedOf, isOwnWork, OWN_LOOKS } from "./request.ts";
import { reaches, type Sighting, withStep } from "./sighting.ts";
import { isAct, isOver, leftByWaiting } from "./waiting.ts";

const KEPT_REASONS = 4;
/** Looks again after a compaction that are forgiven. */
const MAX_RECALLS = 2;

/** The same call with the same outcome, exactly and in substance. */
export function again(run: RunState, step: Step, text: string, least: number): Sighting | undefined {
  const { key, substance, value } = step;
  const first = firstOf(run, step);
  const exact = repeat(run, step, text, { name: inOnePiece(key, value), share: 1, least, first });
  const same =
    substance === undefined
      ? undefined
      : repeat(run, step, text, { name: inOnePiece("~", substance, value), share: SUBSTANCE, least, first });
  return exact ?? same;
}

/** Which topic a step belongs to, what share of its worth counts there, and how much evidence is worth words. */
interface Place {
  readonly name: string;
  readonly share: number;
  readonly least: number;
  /** What is kept of the step if nothing repeats yet. All of its places share it. */
  readonly first: First;
}

function repeat(run: RunState, step: Step, text: string, place: Place): Sighting | undefined {
  const { name } = place;
  const own = hashWith(5, name);
  const known = run.topics.get(name) ?? run.firsts.get(own);
  const isKnown =
    known !== undefined &&
    known.turn === run.turn &&
    !isAnew(run, step, text, known) &&
    (place.share === 1 || known.raw === step.raw);
  if (!isKnown) {
    if (place.share === 1) step.reason = reasonOf(run, step, known);
    run.topics.delete(name);
    setRecent(run.firsts, own, place.first, MAX_FIRSTS);
    return undefined;
  }
  if (known.round === step.round) {
    step.isExcused = true;
    step.reason = "same-round";
    const topic = run.topics.get(name);
    if (topic === undefined) run.firsts.set(own, { ...known, index: step.index });
    else topic.index = step.index;
    return undefined;
  }
  run.firsts.delete(own);
  return goesOn(run, step, text, { ...place, topic: topicFrom(run, name, known) });
}

/** Why a step begins to count anew. */
function reasonOf(run: RunState, step: Step, known: Topic | First | undefined): Step["reason"] {
  if (known !== undefined) return known.turn === run.turn ? "changed-world" : "user-spoke";
  return step.isNewCall ? undefined : "new-outcome";
}

/** Whether the call may come to something else now: something was changed or pointed at, or it has succeeded in the meantime. */
function isAnew(run: RunState, step: Step, text: string, { index }: First): boolean {
  if (run.changedAt > index) return true;
  if (isFailing(step) && (run.passed.get(step.key) ?? -1) > index) return true;
  const isActing = step.effect === "act" || step.effect === "move" || step.effect === "write";
  return run.pointedAt > index && isActing && isMute(step, text);
}

/** Nothing repeats yet: only where and when it came is kept. */
function firstOf(run: RunState, step: Step): First {
  const before = run.steps.at(-1);
  const isAfterAct = before !== undefined && isAct(before);
  const { index, round, raw } = step;
  const { turn, compactions: compaction, news } = run;
  return { index, round, turn, at: endOf(step), raw, isAfterAct, compaction, news };
}

/** When the step was over: time inside the call is no pause. */
function endOf({ at, tookMs }: Step): number | undefined {
  return at === undefined ? undefined : at + tookMs;
}

/** The topic that a second occurrence makes. */
function topicFrom(run: RunState, name: string, known: Topic | First): Topic {
  const topic = topicOf(run, name);
  if (topic === known) return topic;
  return Object.assign(topic, known, { count: 1, steps: [known.index] });
}

/** A topic goes on: adds what the repeat is worth. */
function goesOn(
  run: RunState,
  step: Step,
  text: string,
  { name, share, least, topic }: Place & { topic: Topic },
): Sighting | undefined {
  step.reason = undefined;
  const worth = worthOfRepeat(run, step, topic, text);
  topic.evidence += share * worth;
  topic.count++;
  if (worth === 0) step.isExcused = true;
  if (topic.raw !== step.raw) topic.isExact = false;
  if (share === 1) {
    run.drought += worth;
    step.added = worth;
    step.repeats = topic.count;
  }
  const { index } = step;
  if (step.reason !== undefined)
    topic.passed = [...topic.passed.slice(1 - KEPT_REASONS), { step: index, reason: step.reason }];
  topic.compaction = run.compactions;
  topic.news = run.news;
  topic.index = index;
  topic.round = Math.max(step.round, topic.round);
  topic.at = endOf(step);
  topic.steps = withStep(topic, index);
  const isLap = share === 1 && (run.drought >= LAP * least || (topic.count >= 3 && reaches(run.drought, least)));
  if (worth === 0 || !(reaches(topic.evidence, least) || isLap)) return undefined;
  return {
    kind: reaches(topic.evidence, least) ? "repeated-call" : "call-cycle",
    name,
    topic,
    step,
    count: topic.count,
    steps: topic.steps,
    evidence: Math.max(topic.evidence, isLap ? least : 0),
    isClear: isClear(run, step, topic, worth),
    isSure: worth === 1 && step.length > VALUE_LENGTH,
  };
}

/** Whether only a loop looks like this: nobody asked for it, nothing was waited for, and it fails for good or shows at length what it showed. */
function isClear(run: RunState, step: Step, { looks }: Topic, worth: number): boolean {
  const isOwn = isOwnWork(step.effect);
  if (askedOf(run, step).isSeries || looks > (isOwn ? OWN_LOOKS : 0) || step.isSoft) return false;
  if (isFailing(step)) return isOwn || step.failure?.isBusy !== true;
  return step.effect === "look" || (step.effect === "watch" && worth === 1 && step.length > LONG_ANSWER);
}

/** What a repeat adds: its worth by what the outcome shows, less what waiting, news and the request take from it. */
function worthOfRepeat(run: RunState, step: Step, topic: Topic, text: string): number {
  // An agent that has forgotten may look again, once or twice.
  if (topic.compaction !== run.compactions && topic.recalls++ < MAX_RECALLS) {
    step.reason = "compaction";
    return 0;
  }
  const left = leftByWaiting(run, step, topic, text);
  let worth = Math.min(worthOf(step, text), left);
  if (left < 1) step.isExcused = true;
  if (left === 0) step.reason = "waiting";
  // A repeat may itself have been the first after the outcome was seen; later ones may share a round with the news.
  if (run.newsRound > (topic.count === 1 ? topic.round : topic.round - 1)) {
    topic.newsLaps++;
    if (isPlainFailure(step)) worth *= topic.newsLaps >= 2 ? ATTEMPT : 1;
    else if (topic.newsLaps >= 2 || step.length <= MUTE_LENGTH || step.isNothing) {
      // Each takes back a plain repeat.
      topic.evidence = Math.max(0, topic.evidence - Math.max(1, run.news - topic.news));
      worth = 0;
    } else if (!isFailing(step)) worth = 0;
    if (worth === 0) step.reason ??= "news-in-lap";
  } else topic.newsLaps = 0;
  const asked = askedOf(run, step);
  if (topic.count <= asked.times) {
    step.reason ??= "asked-for";
    worth = 0;
  }
  // The next thousand rows, or the same row again.
  if (hasChanged(step, text)) worth = Math.min(worth, QUIET);
  const isAsked = asked.isSeries || topic.count <= asked.hinted;
  if (step.isSoft) worth *= SUBSTANCE;
  if (isAsked && (!isFailing(step) || step.effect === "watch")) worth *= ASKED_FOR;
  return worth;
}

/** A failure that neither time nor others heal: other work in between leaves half of it. */
function isPlainFailure({ failure, isNothing, effect }: Step): boolean {
  return failure?.isTold === true && !failure.isBusy && !isNothing && effect !== "watch";
}

/** An act that says how much it changed has changed it. */
function hasChanged(step: Step, text: string): boolean {
  return (step.effect === "act" || step.effect === "move") && !isFailing(step) && saysWhatChanged(text);
}

/** Whether an outcome tells no more than that it is there. */
export function isMute({ isNothing, length }: Step, text: string): boolean {
  return isNothing || length <= MUTE_LENGTH || acknowledges(text);
}

/** What an equal outcome would have shown if anything had happened. */
function worthOf(step: Step, text: string): number {
  const { effect, failure, isNothing, length } = step;
  const shows = SILENCE_SHOWS[effect];
  const isFail = isFailing(step);
  if (effect !== "act" && effect !== "move" && effect !== "test" && isOver(step, text)) return 1;
  if (effect === "test" && !isFail) return shows;
  if (isFail && !isNothing) return effect === "watch" && failure?.isFinal !== true ? WATCHED_FAILURE : 1;
  const tells = isMute(step, text) ? 0 : length <= VALUE_LENGTH ? VALUE_TELLS : 1;
  return shows + (1 - shows) * tells;
}
