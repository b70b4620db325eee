import { hashOf, idOf } from "../hash.ts";
import { indexesOf, isBarren, isList } from "../rows.ts";
import type { Step } from "../step.ts";
import { type Detector, NOTHING } from "./detector.ts";

const KNOWN = 7;

/** Calls that are never the same and bring only what the run knows. */
export const known: Detector<"stalled"> = {
  kind: "stalled",
  look(step, { recent, drought }) {
    if (!isBarren(step) || step.waitedMs > 0) return NOTHING;
    // A look at another file may show equal lines.
    const isKin = (each: Step): boolean =>
      step.subject === 0 ? each.tool === step.tool && isBarren(each) : each.subject === step.subject;
    const row = [...recent.filter(isKin), step];
    if (row.length < 2 || (step.subject === 0 && isList(row))) return NOTHING;
    const about = idOf(KNOWN, hashOf(step.tool));
    return [{ about, evidence: 1 + drought / 2, count: row.length, steps: indexesOf(row), isClear: false }];
  },
  covers: (call, last) => call.tool === last.tool && call.shape === last.shape,
};
