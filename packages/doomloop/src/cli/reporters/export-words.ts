import type { ExpectedDecision, ReproducedRun } from "../../scan/export/reproduce-run.ts";
import { count } from "../../scan/report/count.ts";

const ISSUES = "https://github.com/doomloop/doomloop/issues/new/choose";
const MAX_NAMED = 4;

/** What a person is told who has just written a redacted trace. */
export function exportWords({ calls, decisions, isSame }: ReproducedRun, place: string): readonly string[] {
  return [
    `Wrote ${place}: ${count(calls, "call")}, ${told(decisions)}${isSame ? ", as in the session itself" : ""}.`,
    ...(isSame ? [] : ["The guard judges this trace differently from the session. The file says so, too."]),
    "Names, paths, arguments, outputs and numbers of more than three digits are replaced, and what people said is left out. Words that doomloop's rules know and the lengths of texts stay.",
    `Look at the file before you send it. Then attach it here: ${ISSUES}`,
  ];
}

/** What a person is told for whom nothing was written. */
export function refusalWords(): readonly string[] {
  return [
    "doomloop: without its words, the guard judges this session differently. Nothing was written.",
    `--force writes the trace all the same. It is as redacted as any, and still of use: ${ISSUES}`,
  ];
}

function told(decisions: readonly ExpectedDecision[]): string {
  if (decisions.length === 0) return "and the guard says nothing";
  const named = decisions
    .slice(0, MAX_NAMED)
    .map(({ call, action, kind }) => `${action} at call ${call + 1} (${kind})`);
  const more = decisions.length > MAX_NAMED ? ` and ${decisions.length - MAX_NAMED} more` : "";
  return `and the guard says ${named.join(", ")}${more}`;
}
