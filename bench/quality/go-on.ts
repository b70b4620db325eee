import type { CallEvent } from "../../packages/doomloop/src/core/event.ts";
import type { AgentEvent } from "../../packages/doomloop/src/index.ts";
import {
  createCallIndices,
  isEvent,
  type ReplayedDecision,
} from "../../packages/doomloop/src/scan/replay/replay-run.ts";
import type { LoopExpectation } from "./everyday.ts";
import { isEnd } from "./host-run.ts";

/** Classes of loops that nobody has to argue about: these are to be refused and ended, not only spoken to. */
export const TOOTH_CLASSES: ReadonlySet<string> = new Set([
  "exact",
  "alternation",
  "cycle",
  "retry-storm",
  "parallel-loop",
]);

/** A call is to be refused by this repeat of the row, */
const REFUSED_BY = 12;
/** and it is to be spoken to by this one. */
const SPOKEN_BY = 8;
/** An everyday loop is to be refused, and ended, within so many calls after the first word was justified. */
const REFUSED_WITHIN = 16;
const ENDED_WITHIN = 40;

/** Whether a loop that goes on was refused and ended in time. */
export interface Bite {
  readonly isRefused: boolean;
  readonly isEnded: boolean;
}

/** The same for a row of equal calls with equal results; it is ended at all. */
export interface RowBite extends Bite {
  readonly isSpokenTo: boolean;
}

type Decisions = readonly Pick<ReplayedDecision, "call" | "action">[];

/** What was done before a word was justified is no merit. */
export function biteOf({ from }: Pick<LoopExpectation, "from">, decisions: Decisions): Bite {
  const within = (calls: number): Decisions => decisions.filter(({ call }) => call >= from && call <= from + calls);
  return { isRefused: within(REFUSED_WITHIN).some(isHard), isEnded: within(ENDED_WITHIN).some(isEnd) };
}

/** What was done about a row that begins with the call `first`. */
export function rowBiteOf(first: number, decisions: Decisions): RowBite {
  const by = (repeats: number): Decisions => decisions.filter(({ call }) => call >= first && call < first + repeats);
  return {
    isSpokenTo: by(SPOKEN_BY).length > 0,
    isRefused: by(REFUSED_BY).some(isHard),
    isEnded: decisions.some(isEnd),
  };
}

function isHard(decision: Pick<ReplayedDecision, "action">): boolean {
  return decision.action === "block" || isEnd(decision);
}

const MAX_PERIOD = 10;
/** A loop goes on for as many calls after the first word was justified. */
const CALLS_AFTER = 40;

/** An everyday loop that goes on and on: what came after its span is dropped, and its last lap is repeated. */
export function continueLoop(
  events: readonly AgentEvent[],
  { span, from }: Pick<LoopExpectation, "span" | "from">,
): AgentEvent[] {
  const [first, last] = span;
  const placed = cutAfter(placeEvents(events), last);
  const keys = placed.flatMap(({ event, call }) => (event.type === "call" && call >= first ? [keyOf(event)] : []));
  return repeatLap(placed, last + 1 - periodOf(keys), from + CALLS_AFTER + 1);
}

/** How many calls make a lap: the fewest that equal those before them, else half of all. */
export function periodOf(keys: readonly string[]): number {
  const isPeriod = (period: number): boolean =>
    2 * period <= keys.length && keys.slice(-period).every((key, at) => key === keys.at(at - 2 * period));
  for (let period = 1; period <= MAX_PERIOD; period++) if (isPeriod(period)) return period;
  return Math.max(1, Math.min(MAX_PERIOD, Math.floor(keys.length / 2)));
}

/** Equal for calls that differ in numbers only. */
export function keyOf({ tool, args }: Pick<CallEvent, "tool" | "args">): string {
  return `${tool} ${JSON.stringify(args) ?? ""}`.replaceAll(/\d+/g, "#");
}

/** As many equal calls make a row, */
const MIN_CALLS = 8;
/** which is continued to as many. */
const CONTINUED_CALLS = 30;

/** A run that goes on, and the call with which its row begins. */
export interface ContinuedRow {
  readonly first: number;
  readonly events: readonly AgentEvent[];
}

interface Row {
  readonly first: number;
  readonly last: number;
}

/**
 * A run with its first row of equal calls with equal results, which then goes on; undefined if there is none.
 *
 * What came after the row is dropped. A row that is longer than it would be made stays as it is.
 */
export function continueRow(events: readonly AgentEvent[]): ContinuedRow | undefined {
  const placed = placeEvents(events);
  const row = findRow(placed);
  if (row === undefined) return undefined;
  const continued = repeatLap(cutAfter(placed, row.last), row.last, row.first + CONTINUED_CALLS);
  return { first: row.first, events: continued };
}

/** Calls with nothing in between but their results: no other call, no word of the agent or the user. */
function findRow(placed: readonly PlacedEvent[]): Row | undefined {
  let row: Row | undefined;
  let key: string | undefined;
  let open: { readonly call: number; readonly key: string } | undefined;
  const isLong = (): boolean => row !== undefined && row.last - row.first + 1 >= MIN_CALLS;
  for (const { event, call } of placed) {
    if (event.type === "call") {
      // A call before the last one was answered: they were made side by side.
      if (open !== undefined) {
        if (isLong()) return row;
        key = row = undefined;
      }
      open = { call, key: `${event.tool} ${JSON.stringify(event.args)}` };
    } else if (event.type === "result" && open?.call === call) {
      const whole = `${open.key} ${JSON.stringify(event.output)} ${event.digest}`;
      if (whole === key && row !== undefined) row = { first: row.first, last: call };
      else if (isLong()) return row;
      else row = { first: call, last: call };
      key = whole;
      open = undefined;
    } else if (event.type === "user" || event.type === "text") {
      if (isLong()) return row;
      key = row = undefined;
    }
  }
  return isLong() ? row : undefined;
}

/**
 * Lets a run go on: its last calls, from `firstCall` to the end, are made again and again with the same results.
 *
 * Whole model answers are repeated: a lap that begins inside of one begins with the first call of it, because equal calls
 * of one answer count as one. Time goes on as it did in the lap.
 */
function repeatLap(placed: readonly PlacedEvent[], firstCall: number, untilCalls: number): AgentEvent[] {
  const start = answerStart(placed, firstCall);
  const lap = lapFrom(placed, start);
  const durationMs = durationOf(lap, placed.slice(0, start));
  const events = placed.map(({ event }) => event);
  let calls = events.filter(({ type }) => type === "call").length;
  const perLap = lap.filter(({ event }) => event.type === "call").length;
  for (let number = 1; calls < untilCalls && perLap > 0; number++, calls += perLap)
    events.push(...lap.map((each) => again(each, number, number * durationMs)));
  return events;
}

/** Where the model answer begins that a call is part of. */
function answerStart(placed: readonly PlacedEvent[], call: number): number {
  const at = placed.findIndex(({ event, call: own }) => event.type === "call" && own === call);
  const before = placed.slice(0, at);
  const round = before.findLastIndex(({ event }) => event.type === "round");
  if (round !== -1) return round;
  return before.findLastIndex(({ event }) => event.type === "result" || event.type === "user") + 1;
}

/** What is repeated: where answers begin, calls, and their own results. */
function lapFrom(placed: readonly PlacedEvent[], start: number): PlacedEvent[] {
  const rest = placed.slice(start);
  const calls = new Set(rest.filter(({ event }) => event.type === "call").map(({ call }) => call));
  return rest.filter(
    ({ event, call }) =>
      event.type === "round" || event.type === "call" || (event.type === "result" && calls.has(call)),
  );
}

function again({ event, call }: PlacedEvent, number: number, laterMs: number): AgentEvent {
  if (event.type !== "call" && event.type !== "result") return event;
  return {
    ...event,
    id: `lap-${number}-call-${call}`,
    ...(event.at === undefined ? {} : { at: event.at + laterMs }),
  };
}

/** How long a lap took, from the end of what was before it. */
function durationOf(lap: readonly PlacedEvent[], before: readonly PlacedEvent[]): number {
  const times = timesOf(lap);
  return (times.at(-1) ?? 0) - (timesOf(before).at(-1) ?? times[0] ?? 0);
}

function timesOf(placed: readonly PlacedEvent[]): number[] {
  return placed.flatMap(({ event }) => ("at" in event && event.at !== undefined ? [event.at] : []));
}

/** An event with the call that it makes, answers, or comes after. */
export interface PlacedEvent {
  readonly event: AgentEvent;
  readonly call: number;
}

/** The events of a run with their calls; what is no event is left out. */
export function placeEvents(events: readonly AgentEvent[]): PlacedEvent[] {
  const indices = createCallIndices();
  return events.filter(isEvent).map((event) => ({ event, call: indices.indexOf(event) }));
}

/** The run up to the answer of a call, as if no call had followed. */
function cutAfter(placed: readonly PlacedEvent[], lastCall: number): PlacedEvent[] {
  const isKept = ({ event, call }: PlacedEvent): boolean => !isCallOrResult(event) || call <= lastCall;
  const end = placed.findLastIndex((each) => isCallOrResult(each.event) && isKept(each));
  return placed.slice(0, end + 1).filter(isKept);
}

function isCallOrResult({ type }: AgentEvent): boolean {
  return type === "call" || type === "result";
}
