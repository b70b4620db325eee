import type { AgentEvent } from "../../../packages/doomloop/src/index.ts";
import { createCallIndices, isEvent } from "../../../packages/doomloop/src/scan/replay/replay-run.ts";

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
export function cutAfter(placed: readonly PlacedEvent[], lastCall: number): PlacedEvent[] {
  const isKept = ({ event, call }: PlacedEvent): boolean => !isCallOrResult(event) || call <= lastCall;
  const end = placed.findLastIndex((each) => isCallOrResult(each.event) && isKept(each));
  return placed.slice(0, end + 1).filter(isKept);
}

function isCallOrResult({ type }: AgentEvent): boolean {
  return type === "call" || type === "result";
}
