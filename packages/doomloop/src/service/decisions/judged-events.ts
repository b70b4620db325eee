import { setRecent } from "../../core/collections/bounded.ts";
import { CONTINUE, type Decision } from "../../core/decision.ts";
import { FNV_START, fnv } from "../../core/identity/digest.ts";
import type { SentEvent } from "./events-request.ts";

/** A short hash of an event. Most events are answered with `continue`, and then nothing else is remembered of them. */
type Print = number;

/** The numbered events of a run that were judged, so that one that is sent again does not count again. */
export interface JudgedEvents {
  readonly seen: Map<number, Print | { readonly print: Print; readonly decision: Decision }>;
  /** Numbers up to this one are no longer told apart. */
  floor: number;
  /** The first call: a client that numbers from the same number again meets it, though it is long forgotten. */
  firstSeq: number;
  firstPrint: Print;
}

/** So many of the latest events are answered again if they are sent again. Those before them are answered with `continue`. */
export const REMEMBERED = 64;
const NONE = -1;
/** Of an event that another process has judged. */
const UNKNOWN: Print = -1;

export function createJudgedEvents(floor = NONE, numbers: readonly number[] = []): JudgedEvents {
  return { seen: new Map(numbers.map((seq) => [seq, UNKNOWN])), floor, firstSeq: NONE, firstPrint: UNKNOWN };
}

export function addJudged(events: JudgedEvents, event: SentEvent, seq: number, decision: Decision): void {
  const { seen } = events;
  const print = printOf(event);
  if (event.type === "call" && events.firstSeq === NONE) {
    events.firstSeq = seq;
    events.firstPrint = print;
  }
  if (seen.size === REMEMBERED) events.floor = Math.max(events.floor, seen.keys().next().value!);
  setRecent(seen, seq, decision === CONTINUE ? print : { print, decision }, REMEMBERED);
}

/** What was decided on the event with this number; undefined if there was none. */
export function decisionOn({ seen, floor }: JudgedEvents, seq: number): Decision | undefined {
  const known = seq <= floor ? UNKNOWN : seen.get(seq);
  return typeof known === "number" ? CONTINUE : known?.decision;
}

/** Whether the number of an event is known to be that of another event, so that this one was never judged. */
export function isOther({ seen, firstSeq, firstPrint }: JudgedEvents, event: SentEvent, seq: number): boolean {
  const known = seen.get(seq) ?? (seq === firstSeq ? firstPrint : UNKNOWN);
  const print = typeof known === "number" ? known : known.print;
  return print !== UNKNOWN && print !== printOf(event);
}

/** What a client may change when it sends an event again. */
const MAY_CHANGE = new Set(["at", "untold", "unheard", "meta"]);
/** So much of a text, and of the parts of a value, is enough to tell events apart that have nothing to do with each other. */
const HEAD = 64;
const PARTS = 8;

function printOf(event: SentEvent): Print {
  let print = FNV_START;
  for (const [name, value] of Object.entries(event)) {
    if (MAY_CHANGE.has(name)) continue;
    if (typeof value !== "object" || value === null) print = withText(print, String(value));
    else {
      let parts = 0;
      for (const key in value) {
        if (++parts > PARTS) break;
        const part: unknown = (value as Readonly<Record<string, unknown>>)[key];
        print = withText(print, key);
        if (typeof part !== "object" || part === null) print = withText(print, String(part));
      }
    }
  }
  return print >>> 1;
}

function withText(print: Print, text: string): Print {
  let hash = fnv(print, text.length);
  const end = Math.min(HEAD, text.length);
  for (let at = 0; at < end; at++) hash = fnv(hash, text.charCodeAt(at));
  return hash;
}
