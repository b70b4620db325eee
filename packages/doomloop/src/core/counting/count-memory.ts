import { pushLatest } from "../collections/bounded.ts";
import type { Finding } from "../finding.ts";
import type { Digest } from "../identity/digest.ts";
import type { Step } from "../memory/step.ts";
import type { ResolvedCounts } from "./count-rules.ts";

/** A call as it is counted. */
export interface CountedCall {
  readonly index: number;
  readonly tool: string;
  readonly key: Digest;
  /** The same for calls that are equal by the rules: with their outcomes, where those are compared. */
  readonly same: Digest;
  /** The same for similar calls. */
  readonly alike: Digest;
}

/** Failures in a row. */
export interface Streak {
  readonly count: number;
  /** How many of them work on files. */
  readonly onFiles: number;
  /** The latest of them. */
  readonly steps: readonly number[];
}

export const NO_STREAK: Streak = { count: 0, onFiles: 0, steps: [] };

/** What is counted by the host's own rules: plain data. */
export interface CountMemory {
  readonly calls: CountedCall[];
  /** How many of the latest calls in a row equal the one so many calls before, by that distance; 0 is not used. */
  readonly inTurn: number[];
  /** How many similar calls came in a row. */
  alikeRow: number;
  tests: Streak;
  commands: Streak;
  /** How often each loop was seen, the latest ones, and any loop at all. */
  readonly seen: Map<string, number>;
  seenInAll: number;
  /** The loop that was seen last, the calls that make it up, and when that was. */
  latest: { readonly loop: string; readonly keys: readonly Digest[]; readonly index: number } | undefined;
  /** A call that is refused if it is made again next. */
  refused: { readonly key: Digest; readonly finding: Finding } | undefined;
  /** Words were given whose effect is open. */
  isPending: boolean;
  obeyed: number;
  ignored: number;
}

export function createCountMemory(): CountMemory {
  return {
    calls: [],
    inTurn: [],
    alikeRow: 0,
    tests: NO_STREAK,
    commands: NO_STREAK,
    seen: new Map(),
    seenInAll: 0,
    latest: undefined,
    refused: undefined,
    isPending: false,
    obeyed: 0,
    ignored: 0,
  };
}

/** A memory that starts over. What was learned about the agent stays. */
export function countAnew({ obeyed, ignored }: CountMemory): CountMemory {
  return { ...createCountMemory(), obeyed, ignored };
}

/** Forgets the calls, and keeps how far the ladder was climbed. */
export function forgetCalls(memory: CountMemory): void {
  memory.calls.length = 0;
  memory.inTurn.length = 0;
  memory.alikeRow = 0;
  memory.refused = undefined;
  memory.tests = NO_STREAK;
  memory.commands = NO_STREAK;
}

/** Adds a call to what is counted. */
export function countCall(memory: CountMemory, call: CountedCall, { cycles, remembered }: ResolvedCounts): void {
  const { calls, inTurn } = memory;
  for (let distance = 1; distance <= (cycles?.longest ?? 1); distance++)
    inTurn[distance] = calls.at(-distance)?.same === call.same ? (inTurn[distance] ?? 0) + 1 : 0;
  inTurn[0] = 0;
  memory.alikeRow = calls.at(-1)?.alike === call.alike ? memory.alikeRow + 1 : 1;
  pushLatest(calls, call, remembered);
}

const MAX_SHOWN = 32;

/** One more failure in a row. */
export function longer({ count, onFiles, steps }: Streak, { index, isFileWork }: Step): Streak {
  return { count: count + 1, onFiles: onFiles + (isFileWork ? 1 : 0), steps: [...steps, index].slice(-MAX_SHOWN) };
}
