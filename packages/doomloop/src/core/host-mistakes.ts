import { setRecent } from "./collections/bounded.ts";
import { toolLabel } from "./identity/tool-label.ts";
import type { TellMisuse } from "./misuse.ts";

/** Notices mistakes that no single event shows: one such event is normal, and many of them in a row are not. */
export interface HostMistakes {
  /**
   * A value of a tool cannot be compared, and so equals nothing. A tool whose values are all like that is not watched. `isWatchedFor`: the
   * host counts on it, and is told at once.
   */
  opaque(what: "args" | "output", tool: string, isWatchedFor: boolean): void;
  /** A result belongs to no call. `hasPaired`: others did. */
  stray(hasPaired: boolean): void;
  /** A result belongs to a call. */
  paired(): void;
  /** A call is not looked at, was refused, or is forgotten because too many are open: its result will belong to none. */
  unheard(): void;
  /** The host says that an answer of the model begins. */
  round(): void;
  /** A call is made in such an answer. */
  call(): void;
}

/** One large value is no reason to tell anybody. */
const OPAQUE = 3;
const MAX_TOOLS = 48;
const STRAYS = 3;
const LATE_STRAYS = 12;
/** Calls of one answer may be made one by one, each after the result of the last. So many are no answer. */
const LATECOMERS = 100;

export function createHostMistakes(tell: TellMisuse): HostMistakes {
  const opaque = new Map<string, number>();
  let strays = 0;
  let hasUnheard = false;
  let latecomers = 0;
  let hasResult = false;
  return {
    opaque(what, tool, isWatchedFor) {
      const values = `${what} of ${toolLabel(tool)}`;
      const count = (opaque.get(values) ?? 0) + 1;
      setRecent(opaque, values, count, MAX_TOOLS);
      if (count < OPAQUE && !isWatchedFor) return;
      const reason = "they are too large, hold themselves, or have private fields only";
      tell(values, `${values} cannot be compared, so repeats are not noticed: ${reason}`);
    },
    stray(hasPaired) {
      if (hasUnheard || ++strays < (hasPaired ? LATE_STRAYS : STRAYS)) return;
      tell("stray", "result: no call has its id, so nothing is compared; give call and result the same id");
    },
    paired() {
      strays = 0;
      hasResult = true;
    },
    unheard() {
      hasUnheard = true;
    },
    round() {
      latecomers = 0;
      hasResult = false;
    },
    call() {
      if (!hasResult || ++latecomers < LATECOMERS) return;
      tell("round", `round: ${LATECOMERS} calls came one after the other in one; send one for every answer, or none`);
    },
  };
}
