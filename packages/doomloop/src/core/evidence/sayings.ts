import { type RunState, recentSteps, roundsOf } from "../memory/run-state.ts";
import { isFailing, type Step } from "../memory/step.ts";
import { isList } from "./list.ts";
import { LONG_ANSWER, NEW_WORDS, SAYING } from "./numbers.ts";
import { reaches, rowSighting, type Sighting } from "./sighting.ts";

/** The same text to somebody else is not said in other words. */
const FEWEST_TEXTS = 3;
const FEWEST_WORDS = 2;

/** One thing said in other words: a plan, a note, a question. */
export function sayings(run: RunState, step: Step, least: number): Sighting | undefined {
  if (step.effect !== "say" || isFailing(step) || step.length > LONG_ANSWER || step.isCommand) return undefined;
  const row: Step[] = [];
  const steps = recentSteps(run);
  for (let at = steps.length - 1; at >= 0; at--) {
    const other = steps[at]!;
    if (other.tool === step.tool && !isFailing(other)) row.unshift(other);
    else if (other.isNews || other.isChange) break;
  }
  const rounds = roundsOf(row);
  const evidence = (rounds - 1) * SAYING;
  if (!reaches(evidence, least) || new Set(row.map(({ saying }) => saying)).size < FEWEST_TEXTS) return undefined;
  // What has few words cannot be said in others.
  if (row.some(({ stems }) => stems.length < FEWEST_WORDS)) return undefined;
  if (!differInOneField(row) || isList(row, step) || newWords(row) > NEW_WORDS) return undefined;
  return rowSighting(run, row, {
    kind: "similar-call",
    name: `similar-call ${step.tool}`,
    step,
    count: rounds,
    evidence,
  });
}

/** How many of the words are new in each, on average, after the first two. */
function newWords(row: readonly Step[]): number {
  const heard = new Set<number>();
  let sum = 0;
  for (const [at, { stems }] of row.entries()) {
    if (at >= 2) sum += stems.filter((stem) => !heard.has(stem)).length / Math.max(1, stems.length);
    for (const stem of stems) heard.add(stem);
  }
  return sum / Math.max(1, row.length - 2);
}

/** To say something else to somebody else is not to say it in other words. */
function differInOneField(row: readonly Step[]): boolean {
  const counts = new Map<number, number>();
  for (const { fields } of row) for (const field of fields) counts.set(field, (counts.get(field) ?? 0) + 1);
  return row.every(({ fields }) => fields.filter((field) => counts.get(field)! < row.length).length <= 1);
}
