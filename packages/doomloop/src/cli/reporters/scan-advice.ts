import { adviceText, evidenceFor } from "../../scan/advice/advice.ts";
import type { Report } from "../../scan/report/report.ts";
import { count } from "../../scan/report/words.ts";
import { printable } from "../../system/printable.ts";

/** What to do about loops: `rules` as Markdown for a file that agents read, and `words` for people. */
export interface ScanAdvice {
  /** Empty where there is nothing to advise, or where only a part was read. */
  readonly rules: string;
  readonly words: string;
}

export function scanAdvice({ advice, totals, stopped }: Report): ScanAdvice {
  if (stopped !== null) return { rules: "", words: "The scan is not complete, so there is no advice.\n" };
  if (totals.loops === 0)
    return { rules: "", words: `No loops in ${count(totals.sessions, "session")}, so there is nothing to advise.\n` };
  const unknown = totals.loops - advice.reduce((sum, { loops: found }) => sum + found, 0);
  const unknownInWords = `${count(unknown, "loop")}: cause unknown`;
  if (advice.length === 0) return { rules: "", words: `${unknownInWords}, so there is nothing to advise.\n` };
  const found = [
    ...advice.map((each) => `- ${each.title} (${evidenceFor(each)})\n`),
    ...(unknown > 0 ? [`- ${unknownInWords}, so there is no rule for ${unknown === 1 ? "it" : "them"}.\n`] : []),
  ].join("");
  const also = advice.flatMap((each) => (each.also === undefined ? [] : [`- ${each.also}\n`])).join("");
  const rest = also === "" ? "" : `\nFor you and your tools:\n${also}`;
  return {
    rules: shown(adviceText(advice)),
    words: shown(`What was found:\n${found}${rest}\nFor AGENTS.md or CLAUDE.md:\n`),
  };
}

function shown(text: string): string {
  return text.split("\n").map(printable).join("\n");
}
