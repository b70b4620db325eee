import { pushLatest } from "../core/collections/bounded.ts";
import type { Finding } from "../core/finding.ts";
import type { Digest } from "../core/identity/digest.ts";
import type { Judged } from "../core/judged.ts";
import type { RunMemory } from "../core/reading/run-memory.ts";
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
  /** What open calls ask for, by their index, where calls are counted with their results. */
  readonly primaries: Map<number, Digest>;
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
    primaries: new Map(),
  };
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

/** Keeps what a call asks for until its result is there, and forgets calls whose results are not awaited any more. */
export function keepPrimary({ primaries }: CountMemory, run: RunMemory, index: number, primary: Digest): void {
  const awaited = [...run.open, ...run.refused].map(({ call }) => call.index);
  for (const other of primaries.keys()) if (!awaited.includes(other)) primaries.delete(other);
  primaries.set(index, primary);
}

const MAX_SHOWN = 32;

/** One more failure in a row. */
export function longer({ count, onFiles, steps }: Streak, { step: { index, effect } }: Judged): Streak {
  const isFileWork = effect === "look" || effect === "write";
  return { count: count + 1, onFiles: onFiles + (isFileWork ? 1 : 0), steps: [...steps, index].slice(-MAX_SHOWN) };
}
