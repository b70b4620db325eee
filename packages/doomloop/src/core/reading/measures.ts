import { pushLatest } from "../collections/bounded.ts";
import type { Digest } from "../identity/digest.ts";
import type { RunMemory } from "./run-memory.ts";

/** The values of one of the host's own measures of the world, the latest last. */
export type Measure = readonly Digest[];

/** Measures that are compared, and values of each. */
export const MAX_MEASURES = 16;
const MAX_VALUES = 4;

/** Notes a measure that the host took. A value that was not measured before is progress; the same as before says that nothing was changed. */
export function measure(run: RunMemory, key: Digest, value: Digest): "first" | "new" | "same" | "known" {
  const known = run.measures.get(key);
  if (known === undefined) {
    if (run.measures.size === MAX_MEASURES) run.hasMoreMeasures = true;
    else run.measures.set(key, [value]);
    return "first";
  }
  if (known.at(-1) === value) return "same";
  const values = known.filter((each) => each !== value);
  const isKnown = values.length < known.length;
  pushLatest(values, value, MAX_VALUES);
  run.measures.set(key, values);
  return isKnown ? "known" : "new";
}
