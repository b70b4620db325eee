import { adviceText } from "../../scan/advice/advice.ts";
import type { Report } from "../../scan/report/report.ts";
import { count } from "../../scan/report/words.ts";
import { printable } from "../../system/printable.ts";

/** What to do about the loops, as Markdown: paragraphs for a file that agents read, then what people can do. */
export function scanAdvice({ advice, totals }: Report): string {
  if (advice.length === 0) return `No loops in ${count(totals.sessions, "session")}, so there is nothing to advise.\n`;
  const found = advice.map(({ title, loops }) => `- ${count(loops, "loop")}: ${title}\n`).join("");
  const also = advice.flatMap((each) => (each.also === undefined ? [] : [`- ${each.also}\n`])).join("");
  const parts = [
    `## What was found\n\n${found}`,
    `## For AGENTS.md or CLAUDE.md\n\n${adviceText(advice)}`,
    ...(also === "" ? [] : [`## For you and your tools\n\n${also}`]),
  ];
  return `${parts.map((part) => part.split("\n").map(printable).join("\n")).join("\n")}`;
}
