import { hashOf, idOf } from "../hash.ts";
import { ATTEMPT, NEARLY } from "../numbers.ts";
import { callsOf, indexesOf, isList, likeness, roundsOf } from "../rows.ts";
import { isVain, type Step } from "../step.ts";
import { type Detector, NOTHING } from "./detector.ts";

const SAYINGS = 8;
const LONGEST_ANSWER = 200;
const FEWEST_TEXTS = 3;
const FEWEST_WORDS = 2;
/** The share of new words, on average, in one thing said in other words. */
const NEW_WORDS = 0.25;

/** One thing said in other words: a plan, a note, a question. */
export const sayings: Detector<"similar-call"> = {
  kind: "similar-call",
  look(step, { recent }) {
    if (step.effect !== "say" || isVain(step) || step.length > LONGEST_ANSWER) return NOTHING;
    const row = [step];
    for (let at = recent.length - 1; at >= 0; at--) {
      const each = recent[at]!;
      if (each.tool === step.tool) row.push(each);
      else if (each.progress !== "none") break;
    }
    row.reverse();
    if (callsOf(row) < FEWEST_TEXTS || isList(row) || row.some(({ words }) => words.length < FEWEST_WORDS))
      return NOTHING;
    const heard = new Set<number>();
    let fresh = 0;
    for (const [at, { words }] of row.entries()) {
      if (at >= 2) fresh += words.filter((word) => !heard.has(word)).length / Math.max(1, words.length);
      for (const word of words) heard.add(word);
    }
    if (fresh / Math.max(1, row.length - 2) > NEW_WORDS) return NOTHING;
    if (areItems(row)) return NOTHING;
    const rounds = roundsOf(row);
    return [
      {
        about: idOf(SAYINGS, hashOf(step.tool)),
        evidence: 1 + ATTEMPT * (rounds - 1),
        count: rounds,
        steps: indexesOf(row),
        isClear: false,
      },
    ];
  },
  covers: (call, last) => call.tool === last.tool && likeness(call.words, last.words) >= NEARLY,
};

/** The same to somebody else, or about something else: most calls have one word that the one before does not have. */
function areItems(row: readonly Step[]): boolean {
  let items = 0;
  for (const [at, { words }] of row.entries())
    if (at > 0 && words.filter((word) => !row[at - 1]!.words.includes(word)).length <= 1) items++;
  return 2 * items > row.length - 1;
}
