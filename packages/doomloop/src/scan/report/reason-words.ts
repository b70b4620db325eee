import type { Reason } from "../../core/reason.ts";

/** Each completes "not counted as a repeat: ...". What came back new is no repeat, and has no words. */
const WORDS: Readonly<Record<Exclude<Reason, "new-outcome">, string>> = {
  "changed-world": "something was changed in between",
  "user-spoke": "the user spoke in between",
  "news-in-lap": "something new was learned in between",
  waiting: "it was waiting for something",
  sampling: "a value or a measurement may be asked for several times",
  "same-round": "it was made together with an equal call",
  compaction: "the conversation was compacted in between",
  "says-nothing": "its answer tells nothing of what came of the call",
};
const KNOWN = new Map<string, string>(Object.entries(WORDS));

/** Why a repeat was not counted, in plain words. A reason that nobody knows keeps its own name: escape before showing. */
export function reasonWords(reason: string): string {
  return KNOWN.get(reason) ?? reason;
}
