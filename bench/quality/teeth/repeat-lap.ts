import type { AgentEvent } from "../../../packages/doomloop/src/index.ts";
import type { PlacedEvent } from "./placed-event.ts";

/**
 * Lets a run go on: its last calls, from `firstCall` to the end, are made again and again with the same results.
 *
 * Whole model answers are repeated: a lap that begins inside of one begins with the first call of it, because equal calls
 * of one answer count as one. Time goes on as it did in the lap.
 */
export function repeatLap(placed: readonly PlacedEvent[], firstCall: number, untilCalls: number): AgentEvent[] {
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
