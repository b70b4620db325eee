import type { Digest } from "../identity/digest.ts";
import type { Effect } from "../progress/read-call.ts";

/** A call whose result is awaited. */
export interface OpenCall {
  readonly id: string | undefined;
  readonly index: number;
  readonly round: number;
  readonly tool: string;
  readonly call: Digest;
  readonly like: Digest | undefined;
  readonly effect: Effect;
  /** The call is the first of its kind in this run, as far as the run remembers. */
  readonly isNewCall: boolean;
  /** What the edit shares with its reverse. */
  readonly edit: Digest | undefined;
  readonly at: number | undefined;
}

/** The calls in flight. The oldest is given up when there are too many: its result would then belong to nothing. */
export interface OpenCalls {
  add(call: OpenCall): void;
  /** Whether a call is a provider's or a host's second sending of one in flight. */
  isRetry(id: string | undefined, call: Digest): boolean;
  /** The latest with this id, or without an id the oldest. */
  take(id: string | undefined): OpenCall | undefined;
  clear(): void;
  save(): readonly OpenCall[];
}

const CAPACITY = 64;

/** Creates the list of calls in flight, empty or as it was saved. */
export function createOpenCalls(saved?: readonly OpenCall[]): OpenCalls {
  let calls: OpenCall[] = [...(saved ?? [])];
  return {
    add(call) {
      calls.push(call);
      if (calls.length > CAPACITY) calls.shift();
    },
    isRetry: (id, call) => id !== undefined && calls.some((open) => open.id === id && open.call === call),
    take(id) {
      if (id === undefined) return calls.shift();
      for (let at = calls.length - 1; at >= 0; at--) {
        if (calls[at]!.id === id) return calls.splice(at, 1)[0];
      }
      return undefined;
    },
    clear() {
      calls = [];
    },
    save: () => calls,
  };
}
