import type { CallEvent } from "../../packages/doomloop/src/core/event.ts";
import type { AgentEvent } from "../../packages/doomloop/src/index.ts";
import type { LoopExpectation } from "../quality/everyday/expectation.ts";
import { hostRun, isEnd } from "../quality/host-run.ts";
import type { CreateGuard } from "../quality/load-guard.ts";
import { keyOf, periodOf } from "../quality/teeth/continue-loop.ts";
import { type PlacedEvent, placeEvents } from "../quality/teeth/placed-event.ts";
import { freshRead, freshWord } from "./fresh-read.ts";

/** How an agent goes on that is stuck and does not listen. */
export const STUCK_WAYS = ["repeats", "digresses", "varies a word"] as const;
export type StuckWay = (typeof STUCK_WAYS)[number];

/** The calls after the first at which a word is justified. */
export interface StuckEnd {
  readonly told?: number;
  readonly refused?: number;
  readonly ended?: number;
}

const CALLS_AFTER = 80;
const LAPS_PER_DIGRESSION = 3;
const PAUSE_MS = 3_000;

/** Has an everyday loop go on for eighty calls after the first word was justified, and tells what was done about it. */
export function liveStuck(
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
