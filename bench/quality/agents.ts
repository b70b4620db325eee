import type { CallEvent } from "../../packages/doomloop/src/core/event.ts";
import type { AgentEvent, Decision } from "../../packages/doomloop/src/index.ts";
import { createCallIndices, isEvent } from "../../packages/doomloop/src/scan/replay/replay-run.ts";
import { openTrace, readTrace } from "../../packages/doomloop/src/transcripts/trace/read-trace.ts";
import { expectationOf, type LoopExpectation } from "./everyday.ts";
import { keyOf, type PlacedEvent, periodOf, placeEvents } from "./go-on.ts";
import type { CreateGuard } from "./guard.ts";
import { hostRun, isEnd } from "./host-run.ts";
import { type Half, halfOf } from "./numbers.ts";

/** An honest run, and what each reaction costs in it. */
export interface HonestRun {
  readonly run: string;
  readonly half: Half;
  readonly costs: Readonly<Record<Reaction, HonestCost>>;
}

/** A loop that goes on, and what is done about each way to go on. */
export interface StuckRun {
  readonly run: string;
  readonly half: Half;
  readonly ends: Readonly<Record<StuckWay, StuckEnd>>;
}

export interface Reactions {
  readonly honest: readonly HonestRun[];
  readonly stuck: readonly StuckRun[];
}

/** Replays the everyday runs of a file by agents that react, and by agents that don't. */
export async function reactionsIn(path: string, createGuard: CreateGuard): Promise<Reactions> {
  const honest: HonestRun[] = [];
  const stuck: StuckRun[] = [];
  for await (const trace of readTrace(openTrace(path))) {
    const expectation = expectationOf(trace);
    const { run, events } = trace;
    const half = halfOf(expectation.class);
    if (expectation.expect === "spoken")
      stuck.push({ run, half, ends: byName(STUCK_WAYS, (way) => liveStuck(events, expectation, way, createGuard)) });
    else
      honest.push({ run, half, costs: byName(REACTIONS, (reaction) => liveHonestly(events, reaction, createGuard)) });
  }
  return { honest, stuck };
}

function byName<Name extends string, Value>(names: readonly Name[], make: (name: Name) => Value): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, Value>;
}

/** What an honest agent does when a call of its own is refused, before it makes the call again. */
export const REACTIONS = ["waits", "looks", "insists"] as const;
type Reaction = (typeof REACTIONS)[number];

/** What the guard cost an honest agent. */
interface HonestCost {
  readonly isTold: boolean;
  readonly isEnded: boolean;
  /** Calls that were refused at least once. */
  readonly refusedCalls: number;
  /** Refusals: each one costs a model answer. */
  readonly turnsLost: number;
}

const WAIT_MS = 30_000;
const TURN_MS = 3_000;
/** More often than this, nobody asks. */
const MAX_TRIES = 200;

/** Replays an honest run by an agent that has to get through: what it is refused, it asks for again. */
function liveHonestly(events: readonly AgentEvent[], reaction: Reaction, createGuard: CreateGuard): HonestCost {
  const guard = createGuard();
  const indices = createCallIndices();
  const refused = new Set<number>();
  let [isTold, turnsLost, lateMs] = [false, 0, 0];

  const send = (event: AgentEvent): Decision => {
    const decision = guard.observe(
      lateMs > 0 && "at" in event && event.at !== undefined ? { ...event, at: event.at + lateMs } : event,
    );
    if (decision.action !== "continue") isTold = true;
    return decision;
  };
  const react = (call: CallEvent): void => {
    const hasClock = call.at !== undefined;
    send({ type: "result", id: call.id, output: "Refused.", synthetic: true, at: call.at });
    lateMs += TURN_MS;
    if (reaction === "waits" && hasClock) lateMs += WAIT_MS;
    const between =
      reaction === "waits" && !hasClock ? sleep(turnsLost) : reaction === "looks" ? freshRead(turnsLost, call.at) : [];
    for (const event of between) send(event);
    if (between.length > 0) lateMs += TURN_MS;
    send({ type: "round" });
    turnsLost++;
  };
  const isEndedBy = (event: AgentEvent): boolean => {
    const index = indices.indexOf(event);
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const decision = send(event);
      if (isEnd(decision)) return true;
      if (event.type !== "call" || decision.action !== "block") return false;
      refused.add(index);
      react(event);
    }
    return false;
  };

  const isEnded = events.filter(isEvent).some(isEndedBy);
  return { isTold, isEnded, refusedCalls: refused.size, turnsLost };
}

/** Where there is no clock, only a call shows that the agent waits. */
function sleep(number: number): AgentEvent[] {
  const id = `wait-${number}`;
  return [
    { type: "round" },
    { type: "call", id, tool: "sleep", args: { seconds: WAIT_MS / 1_000 } },
    { type: "result", id, output: "" },
  ];
}

/** How an agent goes on that is stuck and does not listen. */
export const STUCK_WAYS = ["repeats", "digresses", "varies a word"] as const;
type StuckWay = (typeof STUCK_WAYS)[number];

/** The calls after the first at which a word is justified. */
interface StuckEnd {
  readonly told?: number;
  readonly refused?: number;
  readonly ended?: number;
}

const CALLS_AFTER = 80;
const LAPS_PER_DIGRESSION = 3;
const PAUSE_MS = 3_000;

/** Has an everyday loop go on for eighty calls after the first word was justified, and tells what was done about it. */
function liveStuck(
  events: readonly AgentEvent[],
  expectation: LoopExpectation,
  way: StuckWay,
  createGuard: CreateGuard,
): StuckEnd {
  const { decisions } = hostRun(goOn(events, expectation, way), {}, createGuard());
  const acted = decisions.filter(({ action, call }) => action !== "continue" && call >= expectation.from);
  const after = (holds: (decision: (typeof acted)[number]) => boolean): number | undefined => {
    const found = acted.find(holds);
    return found === undefined ? undefined : found.call - expectation.from;
  };
  const [told, refused, ended] = [after(() => true), after(({ action }) => action === "block"), after(isEnd)];
  return {
    ...(told === undefined ? {} : { told }),
    ...(refused === undefined ? {} : { refused }),
    ...(ended === undefined ? {} : { ended }),
  };
}

/** The run up to the end of its repetition, and then its last lap again and again. */
function goOn(events: readonly AgentEvent[], { span, from }: LoopExpectation, way: StuckWay): AgentEvent[] {
  const placed = upTo(placeEvents(events), span[1]);
  const lap = lapOf(placed, span);
  const lived = placed.map(({ event }) => event);
  const perLap = Math.max(1, callsIn(lap));
  let [calls, now] = [callsIn(lived), timesOf(lived).at(-1)];
  for (let number = 1; calls < from + CALLS_AFTER; number++, calls += perLap) {
    if (way === "digresses" && number % LAPS_PER_DIGRESSION === 0) {
      lived.push(...freshRead(number, now === undefined ? undefined : now + PAUSE_MS));
      now = timesOf(lived).at(-1);
    }
    const laterMs = now === undefined ? 0 : now + PAUSE_MS - (timesOf(lap)[0] ?? now);
    const again = lap.map((event) => repeat(event, number, laterMs));
    lived.push(...(way === "varies a word" ? again.map((event) => vary(event, number)) : again));
    now = timesOf(lived).at(-1);
  }
  return lived;
}

/** What came after the repetition was another life. Where no call comes after it, words may go on repeating. */
function upTo(placed: readonly PlacedEvent[], lastCall: number): PlacedEvent[] {
  const end = placed.findIndex(({ event, call }) => event.type === "call" && call > lastCall);
  const kept = end === -1 ? [...placed] : placed.slice(0, end);
  return kept.at(-1)?.event.type === "round" ? kept.slice(0, -1) : kept;
}

/** The last lap: of calls, from the model answer that begins it; of words, what follows the last answer of a tool. */
function lapOf(placed: readonly PlacedEvent[], [first, last]: LoopExpectation["span"]): AgentEvent[] {
  const isCallFrom = ({ event, call }: PlacedEvent, from: number): boolean => event.type === "call" && call >= from;
  const keys = placed.filter((each) => isCallFrom(each, first)).map(({ event }) => keyOf(event as CallEvent));
  const start =
    first === last
      ? placed.findLastIndex(({ event }) => event.type === "call" || event.type === "result") + 1
      : answerBefore(
          placed,
          placed.findIndex((each) => isCallFrom(each, last + 1 - periodOf(keys))),
        );
  const ids = new Set(placed.slice(start).flatMap(({ event, call }) => (event.type === "call" ? [call] : [])));
  return placed
    .slice(start)
    .filter(({ event, call }) => event.type !== "user" && (event.type !== "result" || ids.has(call)))
    .map(({ event }) => event);
}

/** Where the model answer begins that holds a call. */
function answerBefore(placed: readonly PlacedEvent[], at: number): number {
  const round = placed.slice(0, at).findLastIndex(({ event }) => event.type === "round" || event.type === "result");
  return placed[round]?.event.type === "round" ? round : round + 1;
}

function repeat(event: AgentEvent, number: number, laterMs: number): AgentEvent {
  if (event.type !== "call" && event.type !== "result") return event;
  const { id } = event;
  return {
    ...event,
    id: id === undefined ? id : `${number}:${id}`,
    ...(event.at === undefined ? {} : { at: event.at + laterMs }),
  };
}

function callsIn(events: readonly AgentEvent[]): number {
  return events.filter(({ type }) => type === "call").length;
}

function timesOf(events: readonly AgentEvent[]): number[] {
  return events.flatMap((event) => ("at" in event && event.at !== undefined ? [event.at] : []));
}

/** A call that says the same in other words: a word of its longest sentence is another, a command gets a comment. */
function vary(event: AgentEvent, number: number): AgentEvent {
  if (event.type !== "call") return event;
  const { args } = event;
  if (typeof args !== "object" || args === null || Array.isArray(args)) return event;
  const word = freshWord(number);
  const sentences = Object.entries(args).filter(([, value]) => typeof value === "string" && /\s/.test(value));
  const [key, text] = sentences.sort(([, one], [, other]) => other.length - one.length)[0] ?? [];
  if (key === undefined) return { ...event, args: { ...args, note: `${word}, once more` } };
  const isCode = /command|cmd|code|script|sql|query_text/i.test(key);
  return { ...event, args: { ...args, [key]: isCode ? `${text} # ${word}` : reword(text as string, word, number) } };
}

function reword(text: string, word: string, number: number): string {
  const words = text.split(/(\s+)/);
  const at = 2 * (number % Math.ceil(words.length / 2));
  return words.map((each, index) => (index === at ? word : each)).join("");
}

const WORDS = ["amber", "basil", "cedar", "delta", "ember", "fjord", "grove", "heron", "inlet", "jasper", "kelp"];
const TRADES = ["roofer", "baker", "surveyor", "tailor", "miller", "pilot", "glazier"];
const NAMES = ["Ann", "Bob", "Carl", "Dora", "Emil"];
const READ_MS = 400;

/** A look at something that has nothing to do with the rest, and that nobody has seen before. */
function freshRead(number: number, at: number | undefined): AgentEvent[] {
  const id = `look-${number}`;
  const one = (words: readonly string[], salt: number): string => words[(number * 7 + salt) % words.length]!;
  const output = `Page ${number + 1}: the ${one(TRADES, 3)} ${one(NAMES, 1)} leaves ${number + 4} boxes of ${one(WORDS, 0)} and ${one(WORDS, 5)} at gate ${number + 2}.`;
  const time = (laterMs: number): { at?: number } => (at === undefined ? {} : { at: at + laterMs });
  return [
    { type: "round" },
    { type: "call", id, tool: "read_notes", args: { page: number + 1 }, ...time(0) },
    { type: "result", id, output, ...time(READ_MS) },
  ];
}

/** A made-up word for each number. */
function freshWord(number: number): string {
  return `${WORDS[number % WORDS.length]}${number < WORDS.length ? "" : WORDS[Math.floor(number / WORDS.length) % WORDS.length]}`;
}
