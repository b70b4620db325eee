import { digestOfText } from "../identity/byte-writer.ts";
import { type Digest, isDigest } from "../identity/digest.ts";
import { type CallFacts, restoreFacts, type SavedFacts, saveFacts } from "./call-facts.ts";

/** A call whose result is awaited. */
export interface OpenCall {
  readonly id: string | undefined;
  readonly index: number;
  readonly round: number;
  readonly tool: string;
  readonly call: Digest;
  readonly facts: CallFacts;
  /** The arguments can be compared; otherwise the call equals nothing. */
  readonly isComparable: boolean;
  /** The call is the first of its kind in this run, as far as the run remembers. */
  readonly isNewCall: boolean;
  readonly at: number | undefined;
  /** The call comes after a pause, by the run's own pace. */
  readonly isPaused: boolean;
  /** Its arguments say something at length: a message, a thought, a statement. */
  readonly isWordy: boolean;
  /** We said that it is not to be run. */
  readonly isRefused: boolean;
  /** Numbers in its arguments that may be times. */
  readonly numbers: readonly number[];
}

/** The calls in flight. The oldest is given up when there are too many: its result would then belong to nothing. */
export interface OpenCalls {
  add(call: OpenCall): void;
  /** Whether a call is a provider's or a host's second sending of one in flight. */
  isRetry(id: string | undefined, call: Digest): boolean;
  /** The latest with this id, or without an id the oldest. A refused call has a result only if nothing else is open. */
  take(id: string | undefined): OpenCall | undefined;
  /** The call was not to be run: it awaits no result, though the host may send one. */
  refuse(call: OpenCall): void;
  save(): SavedOpenCalls;
}

type SavedCall = readonly [
  id: string | null,
  index: number,
  round: number,
  tool: string,
  call: Digest,
  facts: SavedFacts,
  flags: number,
  at: number | null,
  numbers: readonly number[],
];

export interface SavedOpenCalls {
  readonly open: readonly SavedCall[];
  readonly refused: readonly SavedCall[];
}

const CAPACITY = 48;
const LONG_ID = 64;
const REFUSED = 8;

/** Creates the list of calls in flight, empty or as it was saved. */
export function createOpenCalls(saved?: SavedOpenCalls): OpenCalls {
  let calls: OpenCall[] = (saved?.open ?? []).map(restore);
  let refused: OpenCall[] = (saved?.refused ?? []).map(restore);
  const takeFrom = (list: OpenCall[], id: string): OpenCall | undefined => {
    for (let at = list.length - 1; at >= 0; at--) if (isId(list[at]!.id, id)) return list.splice(at, 1)[0];
    return undefined;
  };
  return {
    add(call) {
      calls.push(call);
      if (calls.length > CAPACITY) calls.shift();
    },
    isRetry: (id, call) => id !== undefined && calls.some((open) => open.call === call && isId(open.id, id)),
    take(id) {
      return id === undefined ? (calls.shift() ?? refused.pop()) : (takeFrom(calls, id) ?? takeFrom(refused, id));
    },
    refuse(call) {
      calls = calls.filter((open) => open.index !== call.index);
      refused = [...refused, { ...call, isRefused: true }].slice(-REFUSED);
    },
    save: () => ({ open: calls.map(save), refused: refused.map(save) }),
  };
}

/** How an id is kept: a long one as its digest, and all of them so at rest, because ids are foreign. */
export function keptId(id: string | undefined): string | undefined {
  return id === undefined || id.length <= LONG_ID ? id : digestOfText(id);
}

function isId(kept: string | undefined, id: string): boolean {
  return kept === id || (kept !== undefined && isDigest(kept) && kept === digestOfText(id));
}

function save(open: OpenCall): SavedCall {
  const { id, index, round, tool, call, facts, isComparable, isNewCall, at, isPaused, isWordy, isRefused, numbers } =
    open;
  const flags =
    (isComparable ? 1 : 0) | (isNewCall ? 2 : 0) | (isPaused ? 4 : 0) | (isWordy ? 8 : 0) | (isRefused ? 16 : 0);
  const kept = id === undefined ? null : isDigest(id) ? id : digestOfText(id);
  return [kept, index, round, tool, call, saveFacts(facts), flags, at ?? null, numbers];
}

function restore([id, index, round, tool, call, facts, flags, at, numbers]: SavedCall): OpenCall {
  return {
    id: id ?? undefined,
    index,
    round,
    tool,
    call,
    facts: restoreFacts(facts),
    isComparable: (flags & 1) !== 0,
    isNewCall: (flags & 2) !== 0,
    at: at ?? undefined,
    isPaused: (flags & 4) !== 0,
    isWordy: (flags & 8) !== 0,
    isRefused: (flags & 16) !== 0,
    numbers,
  };
}
