import { setRecent } from "../core/collections/bounded.ts";
import { type Digest, digestOf, digestOfAll } from "../core/identity/digest.ts";
import { isObject } from "../core/identity/read-object.ts";
import { boundedJson } from "./model-value.ts";
import { withoutOwnWords } from "./own-words.ts";

/** A message of a history. */
export interface HistoryMessage {
  readonly role: string;
  readonly content: unknown;
}

/** A call in a message. */
interface HistoryCall {
  readonly toolCallId?: string;
  readonly input?: unknown;
}

/** Recognises a step by everything said before it, for histories that come back as copies. */
export interface KnownHistories<Step extends object> {
  /** A call of this step is about to run, after these messages. If a human had to approve it, the last message contains the call. */
  note(messages: readonly HistoryMessage[], call: HistoryCall, step: Step): void;
  /** The latest known step in these messages. Undefined if there is none, or if it could be one of two. */
  find(messages: readonly HistoryMessage[]): Step | undefined;
}

const MAX_STEPS = 1000;

/**
 * Identifies a step by the exact text of every message before it, and by one of its calls. Two histories that agree in all of that
 * contain the same loops.
 *
 * @param isLatest whether a step is the latest of its run; a run can only continue from there
 */
export function createKnownHistories<Step extends object>(isLatest: (step: Step) => boolean): KnownHistories<Step> {
  const steps = new Map<Digest, Step | undefined>();
  const digests = new WeakMap<object, Digest>();

  /** Each message is serialised once, however often it is sent. Undefined if it cannot be compared. */
  const digestOfMessage = (message: HistoryMessage): Digest | undefined => {
    const known = digests.get(message);
    if (known !== undefined) return known;
    const text = textOf({ role: message.role, content: comparedContent(message.content) });
    if (text === undefined) return undefined;
    const digest = digestOf(text);
    digests.set(message, digest);
    return digest;
  };

  const isOther = (known: Step | undefined, step: Step): boolean =>
    known === undefined || (known !== step && isLatest(known));

  return {
    note(messages, call, step) {
      let before = "";
      for (const message of messages) {
        if (isObject(call.input) && callsOf(message).some(({ input }) => input === call.input)) break;
        const digest = digestOfMessage(message);
        if (digest === undefined) return;
        before = digestOfAll(before, digest);
      }
      const key = keyOf(before, call);
      if (key === undefined) return;
      const isAmbiguous = steps.has(key) && isOther(steps.get(key), step);
      setRecent(steps, key, isAmbiguous ? undefined : step, MAX_STEPS);
    },
    find(messages) {
      let before = "";
      let latest: Step | undefined;
      for (const message of messages) {
        for (const call of callsOf(message)) {
          const key = keyOf(before, call);
          if (key !== undefined && steps.has(key)) latest = steps.get(key);
        }
        const digest = digestOfMessage(message);
        if (digest === undefined) return undefined;
        before = digestOfAll(before, digest);
      }
      return latest !== undefined && isLatest(latest) ? latest : undefined;
    },
  };
}

function callsOf({ role, content }: HistoryMessage): readonly HistoryCall[] {
  return role === "assistant" && Array.isArray(content) ? content.filter(({ type }) => type === "tool-call") : [];
}

function keyOf(before: string, { toolCallId = "", input }: HistoryCall): Digest | undefined {
  const text = textOf(input);
  return text === undefined ? undefined : digestOfAll(before, toolCallId, text);
}

/** A part of a message, as far as it is read here. */
interface HistoryPart {
  readonly output?: { readonly type?: unknown; readonly value?: unknown };
}

/**
 * Content without our words. A history that comes back from a user's screen does not have them, because only the model read them. JSON
 * counts as its text, because it became text when words were added.
 */
function comparedContent(content: unknown): unknown {
  if (!Array.isArray(content)) return content;
  return content.map((part: HistoryPart) => {
    const { type, value } = part?.output ?? {};
    if (type !== "text" && type !== "json" && type !== "content") return part;
    return { ...part, output: withoutOwnWords(type === "json" ? textOf(value) : value) };
  });
}

/** A value as a database would store it. Undefined if it cannot be compared. */
function textOf(value: unknown): string | undefined {
  return value === undefined ? "" : boundedJson(value);
}
