import { likeness } from "../identity/stems.ts";
import { type RunState, topicOf } from "../memory/run-state.ts";
import type { Step } from "../memory/step.ts";
import type { Levels } from "../policy/levels.ts";
import { isAbout } from "./list.ts";
import { FIRST_PASS, INSISTED, LONGER, NEARLY, SHORTEST_PAUSE_MS, UNCLEAR } from "./numbers.ts";
import { reaches, type Sighting } from "./sighting.ts";

/** How far words were left unheard, in plain repeats. Plain data. */
export type Pressure = ReturnType<typeof createPressure>;

export function createPressure() {
  return {
    level: 0,
    round: -1,
    /** How often something else came of the run since. */
    others: 0,
    /** How often it did between the latest rounds of the loop, before calls were refused. */
    usual: 0,
    /** What the latest round added. */
    added: 0,
    /** Refusals in a row, and the one at which an insisting agent gets through next. */
    refusals: 0,
    nextPass: FIRST_PASS,
    /** The round of the latest refusal or pass, and which it was: calls that are made together get the same answer, and count once. */
    answeredRound: -1,
    answer: undefined as "block" | "stop" | undefined,
    /** A refused call ran all the same: the host cannot refuse calls. */
    isDefied: false,
    /** The agent did something else, or waited: the next such call is let through. */
    isLapsed: false,
    /** Run-wide distance between words about what is not sure. */
    doubts: 0,
    nextDoubt: 0,
    spokenRound: -1,
    stuck: [] as StuckCall[],
  };
}

/** A call that the agent is stuck at, as it was before it was refused. */
interface StuckCall
  extends Pick<Step, "key" | "substance" | "index" | "tool" | "value" | "stems" | "shape" | "fields" | "gapMs">,
    Pick<Sighting, "kind" | "isClear" | "name"> {
  /** The agent slept before it while it was still let through: to do so again is nothing else. */
  readonly isWaited: boolean;
}

/** The longest cycle whose calls are all refused. */
const MAX_STUCK = 24;

/** A topic is at the level of words again; others may confirm that it leads nowhere. */
export function press(
  run: RunState,
  pressure: Pressure,
  sighting: Sighting & { readonly isConfirmed: boolean },
  levels: Levels,
): void {
  const { kind, name, topic, step, isClear, isConfirmed } = sighting;
  const isNewRound = step.round !== pressure.round;
  // Equal calls of one answer are one repeat.
  if (isNewRound || topic.shown === 0) topic.shown++;
  if (isNewRound) {
    // Confirmed, a refusal comes after half of the rounds.
    pressure.added = (isConfirmed ? 2 : 1) * (isClear ? 1 : UNCLEAR);
    if (pressure.level < levels.told) pressure.level = levels.told;
    else pressure.level = Math.min(Math.max(pressure.level, levels.refused - 1), pressure.level + pressure.added);
    pressure.round = step.round;
    // What came in between while the calls were let through is part of the loop.
    if (pressure.level < levels.refused) pressure.usual = pressure.others;
    pressure.others = 0;
    const { key, substance, index, tool, value, stems, shape, fields, gapMs } = step;
    const isWaited = run.sleptIn >= step.round - 2;
    const call = { key, substance, index, tool, value, stems, shape, fields, gapMs, kind, isClear, name, isWaited };
    noteStuck(pressure, call, levels);
  }
}

/** Whether words about a topic are due, which are then given: at once, and then at growing distances. */
export function isSpokenOf(run: RunState, pressure: Pressure, sighting: Sighting, levels: Levels): boolean {
  const { topic, step, isSure } = sighting;
  // A result may come rounds after its call.
  const now = Math.max(step.round, run.round);
  if (now === pressure.spokenRound || pressure.level >= levels.refused - 0.5) return false;
  const isPutOff = isSure
    ? topic.shown < topic.nextAt || now < pressure.spokenRound + 2
    : pressure.doubts > 0 && step.round < pressure.nextDoubt && (topic.told === 0 || topic.shown < topic.nextAt);
  if (isPutOff) return false;
  topic.told++;
  topic.nextAt = topic.shown + 2 ** topic.told;
  if (!isSure) {
    pressure.doubts++;
    pressure.nextDoubt = step.round + 2 ** pressure.doubts;
  }
  pressure.spokenRound = now;
  return true;
}

/** Keeps what the agent is stuck at as it was before it was refused. */
function noteStuck({ stuck, level }: Pressure, call: StuckCall, levels: Levels): void {
  const at = stuck.findIndex(({ key }) => key === call.key);
  if (at >= 0 && level >= levels.refused) {
    stuck[at] = { ...stuck[at]!, index: call.index };
    return;
  }
  // An agent thinks now shorter, now longer: a wait is longer than its usual thought.
  const gapMs = stuck[at] === undefined ? call.gapMs : (call.gapMs + 3 * stuck[at].gapMs) / 4;
  if (at >= 0) stuck.splice(at, 1);
  stuck.push(level < levels.refused ? { ...call, gapMs } : { ...call, gapMs: 0, isWaited: false });
  if (stuck.length > MAX_STUCK) stuck.shift();
}

/**
 * The agent was told, and goes on with nearly the same call, to which it gets the same answer: a word is another, or something was added.
 * Whether it may have changed anything does not matter then.
 */
export function goesOn(run: RunState, { level, stuck }: Pressure, step: Step): Sighting | undefined {
  if (level === 0 || step.isExcused) return undefined;
  const call = stuck.findLast((other) => other.value === step.value && other.key !== step.key && isNearly(other, step));
  if (call === undefined) return undefined;
  const { kind, name } = call;
  const topic = topicOf(run, name);
  const evidence = Math.max(topic.evidence, level - 1);
  return { kind, name, topic, step, count: topic.shown, steps: topic.steps, evidence, isClear: false, isSure: false };
}

/** Whether the world has changed since, so that the same call may come to something else. Other kinds show that changes do not help. */
function isOutdated({ changedAt }: RunState, { kind, index }: StuckCall): boolean {
  return changedAt > index && (kind === "repeated-call" || kind === "call-cycle");
}

function isNearly(call: StuckCall, { tool, stems, fields }: Step): boolean {
  if (call.tool !== tool) return false;
  const isPart = call.fields.length > 0 && call.fields.every((field) => fields.includes(field));
  // Calls without words, such as reads of `a.ts` and `b.ts`, are not alike because of that.
  return isPart || (stems.length > 0 && likeness(call.stems, stems) >= NEARLY);
}

/** Whether the agent waited longer than it did before it was refused. */
function hasWaited(run: RunState, { stuck }: Pressure, { isWaited }: StuckCall, step: Step): boolean {
  if (!isWaited && run.sleptIn >= step.round - 1) return true;
  return step.gapMs >= SHORTEST_PAUSE_MS && stuck.every(({ gapMs }) => step.gapMs > LONGER * gapMs);
}

/** Before a call: what the agent was told about and goes on with is refused; the end comes when it insists. */
export function judgeCall(
  run: RunState,
  pressure: Pressure,
  step: Step,
  levels: Levels,
): { action: "block" | "stop"; name: string } | undefined {
  // Where calls cannot be refused, the run is ended before the call that would go on.
  if (pressure.level < Math.min(levels.refused, levels.ended) - 1) return undefined;
  const stuck = pressure.stuck.find(
    (other) =>
      !isOutdated(run, other) &&
      (other.key === step.key ||
        (step.substance !== undefined && other.substance === step.substance) ||
        isNearly(other, step) ||
        (other.tool === step.tool && other.kind !== "repeated-call" && isAbout(other, step))),
  );
  // The last words were given in this round: the agent has not read them yet.
  if (stuck === undefined || (step.round === pressure.round && step.round !== pressure.answeredRound)) return undefined;
  if (step.round !== pressure.answeredRound) {
    if (hasWaited(run, pressure, stuck, step)) lapse(pressure);
    if (!pressure.isLapsed && step.at !== undefined) run.lastAt = step.at;
    pressure.answer = insist(pressure, step, stuck, levels);
    pressure.answeredRound = step.round;
  }
  const { answer } = pressure;
  return answer === undefined || (answer === "block" && step.isWayOut)
    ? undefined
    : { action: answer, name: stuck.name };
}

/** The agent goes on with what it is stuck at. */
function insist(pressure: Pressure, step: Step, stuck: StuckCall, levels: Levels): Pressure["answer"] {
  if (pressure.isLapsed) {
    pressure.isLapsed = false;
    return undefined;
  }
  pressure.round = step.round;
  pressure.others = 0;
  pressure.refusals++;
  if (pressure.refusals === 1) pressure.level = Math.max(pressure.level, Math.min(levels.refused, levels.ended));
  else pressure.level += stuck.isClear && stuck.key === step.key ? 1 : INSISTED;
  if (reaches(pressure.level, levels.ended)) return "stop";
  if (pressure.refusals !== pressure.nextPass) return "block";
  pressure.nextPass *= 2;
  return undefined;
}

/** How many calls in a row did not run. An insisting agent gets through now and then. */
export function refusedInRow({ refusals, nextPass, isDefied }: Pressure): number {
  return isDefied ? 0 : refusals - Math.log2(nextPass / FIRST_PASS);
}

/** The user spoke: nothing is left of it. */
export function release(pressure: Pressure): void {
  lapse(pressure);
  pressure.isLapsed = false;
  pressure.level = 0;
  pressure.doubts = 0;
  pressure.stuck.length = 0;
}

/** Nothing was heard, so nothing was ignored: the way from words to a refusal begins again. */
export function backToWords(pressure: Pressure, { told }: Levels): void {
  pressure.level = Math.min(pressure.level, told);
  pressure.refusals = 0;
  pressure.nextPass = FIRST_PASS;
}

/** A refusal is a question, and doing something else is an answer. */
function lapse(pressure: Pressure): void {
  pressure.isLapsed = true;
  pressure.refusals = 0;
  pressure.nextPass = FIRST_PASS;
}

/** Something else came of the run: the refusal lapses, and below its level the latest round is taken back. */
export function noteProgress(pressure: Pressure, levels: Levels, step: Step): void {
  if (!(step.isChange || step.isNews) || pressure.round === step.round || pressure.level === 0) return;
  // Who goes on to another file is at work, even if each is followed by the same failing test.
  pressure.others += step.isNewFile ? pressure.usual + 1 : 1;
  const others = pressure.others - pressure.usual;
  if (others <= 0) return;
  lapse(pressure);
  // One thing else is a digression, more are work.
  if (others > 1 && pressure.level < levels.refused) pressure.level = Math.max(0, pressure.level - pressure.added);
}
