import { count } from "../../scan/report/count.ts";
import type { HookTally } from "../../scan/report/report.ts";

/** What hooks said, and what came of it, in a sentence or two; empty where they were silent. */
export function hookSentences(tally: HookTally | undefined): string {
  if (tally === undefined) return "";
  const { words, questions, refusals, ends, obeyed, ignored, allowed } = tally;
  const spoken = words + questions + refusals + ends;
  if (spoken + obeyed + ignored + allowed === 0) return "";
  const sentences = [`Hooks spoke ${count(spoken, "time")}.`];
  if (obeyed + ignored > 0)
    sentences.push(
      `${count(obeyed, "nudge")} ${wereOrWas(obeyed)} followed by something else, ${number(ignored)} ${wereOrWas(ignored)} not.`,
    );
  if (allowed > 0) sentences.push(`${number(allowed)} ${wereOrWas(allowed)} called no loop by a person.`);
  return sentences.join(" ");
}

function wereOrWas(amount: number): string {
  return amount === 1 ? "was" : "were";
}

function number(value: number): string {
  return value.toLocaleString("en-US");
}
