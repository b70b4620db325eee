import { setRecent } from "./collections/bounded.ts";
import type { TellMisuse } from "./faults.ts";
import { toolLabel } from "./identity/call-identity.ts";
import type { RunMemory } from "./reading/run-memory.ts";

/** A single large value is not worth a message. */
const MOST_OPAQUE = 3;
const MAX_OPAQUE_TOOLS = 48;
const STRAYS = 3;
const LATE_STRAYS = 12;
/** The calls of one answer may be made one by one, each after the result of the one before, but an answer does not have this many. */
const LATECOMERS = 100;

/** Now and then a tool takes less time than this, and a model answers sooner, if both are measured in milliseconds. */
const LONG_CALL_MS = 60_000;
const LONG_PAUSE_MS = 300_000;
const SLOW_STEPS = 8;

/**
 * Notes how slow a step is: the pause before its call, or how long its tool took. If every tool takes minutes, and every pause between
 * two calls is long too, the clock does not count milliseconds, and nothing would ever look like a loop.
 */
export function notePace(state: Pick<RunMemory, "slowSteps">, what: "pause" | "call", tookMs: number): void {
  if (!hasClock(state) || !Number.isFinite(tookMs)) return;
  if (tookMs < (what === "pause" ? LONG_PAUSE_MS : LONG_CALL_MS)) state.slowSteps = undefined;
  else if (what === "call") state.slowSteps = (state.slowSteps ?? 0) + 1;
}

/** Whether the host's times are believed. */
export function hasClock({ slowSteps = 0 }: Pick<RunMemory, "slowSteps">): boolean {
  return slowSteps < SLOW_STEPS;
}

/** Notices mistakes that no single event shows: one such event is normal, many in a row are not. */
export function createHostMistakes(tell: TellMisuse) {
  const opaque = new Map<string, number>();
  let strays = 0;
  let hasUnheard = false;
  let latecomers = 0;
  let hasResult = false;
  return {
    /**
     * A value of a tool cannot be compared, so it equals nothing. If all values of a tool are like that, its repeats go unnoticed.
     * `isWatchedFor`: the host relies on it, and is told at once.
     */
    opaque(what: "args" | "output", tool: string, isWatchedFor: boolean): void {
      const values = `${what} of ${toolLabel(tool)}`;
      const count = (opaque.get(values) ?? 0) + 1;
      setRecent(opaque, values, count, MAX_OPAQUE_TOOLS);
      if (count < MOST_OPAQUE && !isWatchedFor) return;
      const reason = "they are too large, contain themselves, or have only private fields";
      tell(values, `${values} cannot be compared, so repeats are not noticed: ${reason}`);
    },
    /** A call has none of the arguments that its rule names. `isWatchedFor`: the host relies on it, and is told at once. */
    unnamed(tool: string, names: readonly string[], isWatchedFor: boolean): void {
      const values = `identity of ${toolLabel(tool)}`;
      const count = (opaque.get(values) ?? 0) + 1;
      setRecent(opaque, values, count, MAX_OPAQUE_TOOLS);
      if (count < MOST_OPAQUE && !isWatchedFor) return;
      const where = `rules["${toolLabel(tool)}"].identity`;
      tell(values, `${where}: the call has no ${names.slice(0, 3).join(", ")}, so all of its arguments are compared`);
    },
    /** A result belongs to no call. `hasPaired`: earlier results did. */
    stray(hasPaired: boolean): void {
      if (hasUnheard || ++strays < (hasPaired ? LATE_STRAYS : STRAYS)) return;
      tell("stray", "result: no call has this id, so nothing is compared; give a call and its result the same id");
    },
    /** The host's clock does not count milliseconds. */
    clock(): void {
      tell("clock", "at: must be milliseconds, but every call seems to take minutes, so pauses are not measured");
    },
    paired(): void {
      strays = 0;
      hasResult = true;
    },
    /** A call is ignored, refused, or forgotten because too many are open. Its result will belong to no call. */
    unheard(): void {
      hasUnheard = true;
    },
    round(): void {
      latecomers = 0;
      hasResult = false;
    },
    call(): void {
      if (!hasResult || ++latecomers < LATECOMERS) return;
      tell(
        "round",
        `round: ${LATECOMERS} calls came one after another in one round; send a round for every answer, or none`,
      );
    },
  };
}
