import type { TellMisuse } from "./faults.ts";

/** So many results of an earlier answer, after calls of a later one, and at least a third of all results. A late result now and then is normal. */
const OVERLAPS = 6;
const SHARE = 3;
/** So often ids start over, each time after they counted up over some answers. */
const RESTARTS = 3;
const COUNTED_UP = 2;

const WORDS =
  "guard: one guard watches one run, but several seem to use it, so it only warns from now on; create a guard where each run starts";

/**
 * Notices that several runs share a guard, by what one run cannot do: a model does not answer again before it has read the results of its
 * last answer, and an id that counts up does not start over. Needs a host that sends a `round` with each answer.
 */
export function createManyRuns(tell: TellMisuse) {
  let results = 0;
  let overlaps = 0;
  let restarts = 0;
  let counted: { readonly prefix: string; readonly number: number; readonly ups: number } | undefined;
  let round = -1;
  let isNoticed = false;

  const notice = (): void => {
    isNoticed = true;
    tell("many runs", WORDS);
  };

  return {
    isNoticed: () => isNoticed,
    /** The user spoke: hosts may count from the beginning again. */
    user(): void {
      counted = undefined;
    },
    /** The first call of each round counts, because some servers number the calls of an answer. */
    call(id: unknown, ownRound: number): void {
      if (isNoticed || ownRound === round) return;
      round = ownRound;
      const [, prefix = "", digits = ""] = (typeof id === "string" && /^(\D{0,32})(\d{1,9})$/.exec(id)) || [];
      if (digits === "") return;
      const number = Number(digits);
      const before = counted?.prefix === prefix ? counted : undefined;
      const hasStartedOver = before !== undefined && before.ups >= COUNTED_UP && number <= before.number - before.ups;
      const ups = before !== undefined && number > before.number ? before.ups + 1 : 0;
      counted = { prefix, number, ups };
      if (hasStartedOver && ++restarts === RESTARTS) notice();
    },
    result(ownRound: number): void {
      if (isNoticed) return;
      results++;
      if (ownRound < round) overlaps++;
      if (overlaps >= OVERLAPS && overlaps * SHARE >= results) notice();
    },
  };
}
