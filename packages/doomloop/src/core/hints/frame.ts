/** What Claude Code and Qwen Code say to the model inside a result or a request. */
const REMINDER = /\s{0,4}<(system[-_]reminder)>[^<]*(?:<(?!\/?system)[^<]*)*<\/\1>\s{0,4}/g;
/** How far the run is: `Step 7/100`, `[Turn 3 of 50]`. */
const COUNTER = /^\W{0,3}(?:step|turn|round|iteration) \d{1,5} ?(?:\/|of) ?\d{1,5}\W{0,3}(?:\n|$)/i;
/** What Codex says of a process before its output. The code with which it ended stays. */
const HEADER = /^(?:Chunk ID: \w{1,12}|Wall time:? [\d.]{1,12} seconds|Original token count: \d{1,9})\n/gm;
const LONGEST_HEADER = 160;
/** To look through a longer text would hold the agent up. */
const LONGEST = 1_000_000;

/** A text without what a harness says in it: that is no part of a result or of a request, and some of it counts on by itself. */
export function withoutFrame(text: string): string {
  if (text.length > LONGEST) return text;
  const bare = (text.includes("</system") ? text.replace(REMINDER, "\n").trim() : text).replace(COUNTER, "");
  if (!/^(?:Chunk ID: |Wall time|Exit code: \d)/.test(bare)) return bare;
  const end = bare.slice(0, LONGEST_HEADER).indexOf("\nOutput:\n");
  return end < 0 ? bare : bare.slice(0, end + 1).replace(HEADER, "") + bare.slice(end + 1);
}
