import { setRecent } from "../../core/collections/bounded.ts";
import { CONTINUE, type Decision } from "../../core/decision.ts";
import { FNV_START, fnv } from "../../core/identity/digest.ts";
import type { SentEvent } from "./events-request.ts";

/** The numbered events of a run that were judged, so that one that is sent again does not count again. */
export interface JudgedEvents {
  /** What was decided on the event with this number; undefined if there was none. */
  decisionOn(seq: number): Decision | undefined;
  /** Whether the number of an event is known to be that of another event, so that this one was never judged. */
  isOther(event: SentEvent, seq: number): boolean;
  add(event: SentEvent, seq: number, decision: Decision): void;
  /** Numbers up to this one are no longer told apart. */
  readonly floor: number;
  readonly numbers: readonly number[];
}

/** So many of the latest events are answered again if they are sent again. Those before them are answered with `continue`. */
export const REMEMBERED = 64;
const NO_FLOOR = -1;

/** A short hash of an event. Most are answered with `continue`, and then nothing else is remembered of them. */
type Print = number;
interface Told {
  readonly print: Print;
  readonly decision: Decision;
}

/** Of an event that another process has judged. */
const UNKNOWN: Print = -1;

export function createJudgedEvents(saved?: Pick<JudgedEvents, "floor" | "numbers">): JudgedEvents {
  const seen = new Map<number, Print | Told>(saved?.numbers.map((seq) => [seq, UNKNOWN]));
  let floor = saved?.floor ?? NO_FLOOR;
  // A client that numbers from the same number again meets its first call, which is long forgotten.
  let first: { readonly seq: number; readonly print: Print } | undefined;
  const printOn = (seq: number): Print => {
    const known = seen.get(seq) ?? (first?.seq === seq ? first.print : UNKNOWN);
    return typeof known === "number" ? known : known.print;
  };
  return {
    decisionOn(seq) {
      const known = seq <= floor ? UNKNOWN : seen.get(seq);
      return typeof known === "number" ? CONTINUE : known?.decision;
    },
    isOther(event, seq) {
      const print = printOn(seq);
      return print !== UNKNOWN && print !== printOf(event);
    },
    add(event, seq, decision) {
      const print = printOf(event);
      if (event.type === "call" && saved === undefined) first ??= { seq, print };
      if (seen.size === REMEMBERED) floor = Math.max(floor, seen.keys().next().value!);
      setRecent(seen, seq, decision === CONTINUE ? print : { print, decision }, REMEMBERED);
    },
    get floor() {
      return floor;
    },
    get numbers() {
      return [...seen.keys()];
    },
  };
}

/** What a client may change when it sends an event again. */
const MAY_CHANGE = new Set(["at", "untold", "unheard", "meta"]);
/** So much of a text, and of the parts of a value, is enough to tell events apart that have nothing to do with each other. */
const HEAD = 64;
const PARTS = 8;

/** A short hash of what an event begins with. */
function printOf(event: SentEvent): Print {
  let print = FNV_START;
  const add = (text: string): void => {
    print = fnv(print, text.length & 0xffff);
    for (let at = 0; at < text.length && at < HEAD; at++) print = fnv(print, text.charCodeAt(at));
  };
  for (const [name, value] of Object.entries(event)) {
    if (MAY_CHANGE.has(name)) continue;
    const parts = typeof value === "object" && value !== null ? Object.entries(value).slice(0, PARTS).flat() : [value];
    for (const part of parts) add(typeof part === "object" && part !== null ? "" : String(part));
  }
  return print >>> 1;
}
