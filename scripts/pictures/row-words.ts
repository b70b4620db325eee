import type { Decision } from "../../packages/doomloop/src/index.ts";
import { actionWords, reasonWords } from "../../packages/doomloop/src/scan/report/words.ts";
import type { CallRow, Row } from "./play-run.ts";

/** Of foreign words, as many are told to who does not see the picture. */
const MOST_CHARACTERS = 200;

/** What a call came to, in a word or two. */
export function outcomeWords({ state, standing, said }: CallRow, isSameInLoop: boolean): string {
  if (state === "refused") return said.some(({ action }) => action === "stop") ? "run ended" : "not run";
  if (state === "open") return "";
  if (standing === "first") return isSameInLoop ? `${state}, as before` : state;
  return standing === "new" ? `${state}, new` : `${state}, as before`;
}

/** Why a call was not counted as a repeat; undefined where it was, or was none. */
export function uncountedWords({ standing, state }: CallRow): string | undefined {
  if (state === "refused" || standing === "first" || standing === "counted") return undefined;
  if (standing === "new") return undefined;
  return `not counted as a repeat: ${reasonWords(standing)}`;
}

/** What the guard says: to the agent, or of a run that is over to people. */
export function wordsOf(decision: Decision): string {
  return (decision.action === "stop" ? decision.explanation : decision.message) ?? "";
}

/** The whole run in words, for who does not see the picture. */
export function runInWords(rows: readonly Row[], spared: number): string {
  const lines = rows.map((row) => {
    if (!("said" in row)) return row.type === "user" ? `The user: ${row.text.slice(0, MOST_CHARACTERS)}` : row.text;
    const said = row.said.map((decision) => `The guard: ${decision.action}. ${wordsOf(decision).split("\n", 1)[0]}`);
    if (row.type !== "call") return [`The agent: ${row.text.slice(0, MOST_CHARACTERS)}`, ...said].join(" ");
    const parts = [outcomeWords(row, false), uncountedWords(row)].filter((part) => part !== undefined && part !== "");
    return [`Call ${row.call}, ${row.tool} ${row.argument}: ${parts.join(", ")}.`, ...said].join(" ");
  });
  if (spared > 0) lines.push(`${spared} more calls of the recording are never made.`);
  return lines.join("\n");
}

/** The sign of an action, as the report page has it. */
export function markOf({ action }: Decision): string {
  return actionWords(action).mark;
}
