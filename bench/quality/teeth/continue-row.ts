import type { AgentEvent } from "../../../packages/doomloop/src/index.ts";
import { cutAfter, type PlacedEvent, placeEvents } from "./placed-event.ts";
import { repeatLap } from "./repeat-lap.ts";

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
