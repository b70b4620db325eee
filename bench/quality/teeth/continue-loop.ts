import type { CallEvent } from "../../../packages/doomloop/src/core/event.ts";
import type { AgentEvent } from "../../../packages/doomloop/src/index.ts";
import type { LoopExpectation } from "../everyday/expectation.ts";
import { cutAfter, placeEvents } from "./placed-event.ts";
import { repeatLap } from "./repeat-lap.ts";

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
