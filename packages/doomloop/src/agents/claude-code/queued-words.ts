import { type ForeignRecord, recordOf } from "../../transcripts/foreign-value.ts";
import { contentText } from "../../transcripts/tool-output.ts";

/** Beginnings of what Claude Code writes in the user's name although nobody spoke. */
const OWN_WORDS = ["<local-command-stdout>", "<local-command-stderr>", "<local-command-caveat>", "<system-reminder>"];

/** What the user typed while the agent was working. */
interface QueuedWords {
  /** The words that a record adds, with the record that has them. Must be called for each record, in order. */
  before(record: ForeignRecord): readonly Queued[];
}

interface Queued {
  readonly record: ForeignRecord;
  readonly words: string;
}

/**
 * Words count when the user types them, and again when the agent gets them in the middle of its turn.
 *
 * If the agent is idle, it takes them out of the queue at once, and they appear again as a user's record.
 */
export function createQueuedWords(): QueuedWords {
  let waiting: ForeignRecord | undefined;
  return {
    before(record) {
      const queued = waiting;
      const isQueue = record.type === "queue-operation";
      waiting = isQueue && record.operation === "enqueue" ? record : undefined;
      if (queued === undefined && !isQueue && record.type !== "attachment") return NOTHING;
      const isIdle = isQueue && record.operation === "dequeue";
      return [isIdle ? undefined : queued, waiting === undefined ? record : undefined].flatMap(wordsOf);
    },
  };
}

const NOTHING: readonly Queued[] = [];

function wordsOf(record: ForeignRecord | undefined): readonly Queued[] {
  const words = record === undefined ? undefined : contentText(promptIn(record));
  return record === undefined || words === undefined || !isUserSpeaking(record, words) ? [] : [{ record, words }];
}

function promptIn(record: ForeignRecord): unknown {
  if (record.type === "queue-operation") {
    const isGiven = record.operation === "remove" && record.reason === "absorbed_mid_turn";
    return record.operation === "enqueue" || isGiven ? record.content : undefined;
  }
  const attachment = record.type === "attachment" ? recordOf(record.attachment) : undefined;
  return attachment?.type === "queued_command" ? attachment.prompt : undefined;
}

/** Whether words in a user's record are news for the agent: the user's own, or a report of a background task. */
export function isUserSpeaking(record: ForeignRecord, words: string): boolean {
  if (record.isMeta === true || record.isCompactSummary === true) return false;
  return !OWN_WORDS.some((beginning) => words.startsWith(beginning));
}
