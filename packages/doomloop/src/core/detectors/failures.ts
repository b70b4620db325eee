import { hashOf, idOf } from "../hash.ts";
import { STREAK } from "../numbers.ts";
import { areGuesses, indexesOf, isList, roundsOf } from "../rows.ts";
import { isVain, type Step } from "../step.ts";
import { type Detector, NOTHING } from "./detector.ts";

const FAILURES = 5;

/** One tool that fails again and again, each time in another way. */
export const failures: Detector<"failure-streak"> = {
  kind: "failure-streak",
  look(step, { recent }) {
    // What only sounds like a failure may be a record that speaks of one.
    if (step.failure?.isTold !== true || step.waitedMs > 0 || step.failure.isTransient) return NOTHING;
    const row = [step];
    for (let at = recent.length - 1; at >= 0; at--) {
      const other = recent[at]!;
      if (other.tool !== step.tool) continue;
      if (!isVain(other)) break;
      row.push(other);
    }
    if (row.length < 2) return NOTHING;
    row.reverse();
    const isOfList = isList(row);
    if (isOfList && !areGuesses(row)) return NOTHING;
    const counted = row.filter(
      (each, at) =>
        !isNext(each, row.slice(0, at), recent) &&
        !row.slice(0, at).some((other) => other.call === each.call && other.result === each.result),
    );
    const evidence = 1 + STREAK * (roundsOf(counted) - 1);
    return [
      {
        ...{ about: idOf(FAILURES, hashOf(step.tool)), evidence, count: row.length, steps: indexesOf(row) },
        ...{ isClear: false, isList: isOfList },
      },
    ];
  },
  covers: (call, last) => call.tool === last.tool && call.shape === last.shape,
};

/** Whether a failure is the next one: something was changed since the one before, and it says what none of them said. */
function isNext(step: Step, before: readonly Step[], recent: readonly Step[]): boolean {
  const last = before.at(-1);
  if (last === undefined || before.some((each) => saidOf(each) === saidOf(step))) return false;
  return recent.some(
    ({ index, progress, effect }) =>
      index > last.index && index < step.index && (progress === "change" || effect === "write"),
  );
}

function saidOf({ failure, result }: Step): number {
  return failure?.line ?? result;
}
