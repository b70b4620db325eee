import type { ForeignRecord } from "../../transcripts/foreign-value.ts";

/** What Claude Code writes in the user's name without anybody having spoken. */
const OWN_WORDS = ["<local-command-stdout>", "<local-command-stderr>", "<local-command-caveat>", "<system-reminder>"];

/** Whether words in a user's record are news for the agent: the user's, or a report of a background task. */
export function isUserSpeaking(record: ForeignRecord, words: string): boolean {
  if (record.isMeta === true || record.isCompactSummary === true) return false;
  return !OWN_WORDS.some((beginning) => words.startsWith(beginning));
}
