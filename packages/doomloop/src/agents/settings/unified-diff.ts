import { createTwoFilesPatch, OMIT_HEADERS } from "diff/lib/patch/create.js";

/** The search takes as long as the square of what differs. Texts that differ in more lines are shown as one that replaces the other. */
const MAX_EDITS = 1000;

/** The difference of two texts in the unified format, without the names of files; no line where there is none. */
export function unifiedDiff(before: string, after: string): readonly string[] {
  const options = { context: 3, headerOptions: OMIT_HEADERS, maxEditLength: MAX_EDITS };
  const patch = createTwoFilesPatch("", "", before, after, "", "", options) ?? replacement(before, after);
  return patch.split("\n").filter((line) => line !== "");
}

function replacement(before: string, after: string): string {
  const options = { headerOptions: OMIT_HEADERS };
  const removed = createTwoFilesPatch("", "", before, "", "", "", options).split("\n").slice(1);
  const added = createTwoFilesPatch("", "", "", after, "", "", options).split("\n").slice(1);
  const count = (lines: readonly string[]): number => lines.filter((line) => /^[-+]/.test(line)).length;
  return [`@@ -1,${count(removed)} +1,${count(added)} @@`, ...removed, ...added].join("\n");
}
