import { type ForeignRecord, listOf, recordOf, textOf } from "../../transcripts/foreign-value.ts";
import type { Conversations, Owner } from "./conversations.ts";
import { messageListOf, withWords } from "./message-list.ts";

/** What LiteLLM's generic guardrail API takes as an answer. */
export interface LitellmAnswer {
  readonly action: "NONE" | "BLOCKED" | "GUARDRAIL_INTERVENED";
  readonly blocked_reason?: string;
  /** As many as there were in the request. */
  readonly texts?: readonly string[];
}

/** The request is sent as it is. */
export const LITELLM_GOES_ON: LitellmAnswer = { action: "NONE" };
const MAX_TEXTS = 16_000;
/** LiteLLM sends the names of all headers, but not their values. */
const HIDDEN = "[present]";

/**
 * Answers LiteLLM's generic guardrail API, before a request goes to the model.
 *
 * LiteLLM sends the conversation twice: as messages of Chat Completions, whatever the client has sent, and as a list of the texts in it. Only
 * the texts can be changed. If the texts of results are not among them, as with Responses, nothing can be said, and the request passes.
 */
export async function answerLitellm(conversations: Conversations, body: unknown): Promise<LitellmAnswer> {
  const request = recordOf(body) ?? {};
  const texts = listOf(request.texts);
  const list = messageListOf({ messages: request.structured_messages });
  if (request.input_type !== "request" || list === undefined || !areTexts(texts)) return LITELLM_GOES_ON;
  const places = placesOf(list.items, texts);
  if (places === undefined) return LITELLM_GOES_ON;
  const { items, refusal } = await conversations.judge(list.items, ownerIn(request), withWordsInText);
  if (refusal !== undefined) return { action: "BLOCKED", blocked_reason: refusal };
  const changed = [...texts];
  for (const [at, place] of places) if (items[at] !== list.items[at]) changed[place] = lastText(items[at]!);
  return changed.every((text, at) => text === texts[at])
    ? LITELLM_GOES_ON
    : { action: "GUARDRAIL_INTERVENED", texts: changed };
}

/** No text can be added, so words are appended to one that is there. */
function withWordsInText(item: object, words: string): object | undefined {
  return lastText(item) === "" ? undefined : withWords(item, words);
}

function areTexts(texts: readonly unknown[]): texts is readonly string[] {
  return texts.length <= MAX_TEXTS && texts.every((text) => typeof text === "string");
}

/** The text at the end of a result, to which words are appended. */
function lastText(item: object): string {
  const { content } = item as ForeignRecord;
  return textOf(Array.isArray(content) ? recordOf(content.at(-1))?.text : content) ?? "";
}

/**
 * Where the last text of each result is in the list of texts, by the index of its message. Undefined if the list is not what was expected.
 *
 * The two lists are in the same order, but not the same. With the Messages API, the system prompt is missing among the texts, and an
 * answer of several blocks is one message with several texts.
 */
function placesOf(messages: readonly object[], texts: readonly string[]): Map<number, number> | undefined {
  const places = new Map<number, number>();
  let next = 0;
  for (const [at, message] of messages.entries()) {
    const { role, content } = message as ForeignRecord;
    const pieces =
      typeof content === "string" ? [content] : listOf(content).flatMap((part) => recordOf(part)?.text ?? []);
    for (const piece of pieces) {
      const end = endOf(String(piece), texts, next);
      if (end !== undefined) next = end;
      else if (role !== "system" && piece !== "") return undefined;
    }
    if (role === "tool" && lastText(message) !== "") places.set(at, next - 1);
  }
  return next === texts.length ? places : undefined;
}

/** The index after the texts that together are this piece. */
function endOf(piece: string, texts: readonly string[], from: number): number | undefined {
  let joined = "";
  for (let at = from; at < texts.length && piece.startsWith(joined); at++) {
    joined += texts[at];
    if (joined === piece) return at + 1;
  }
  return undefined;
}

/** LiteLLM makes up a trace id for a request that has none. A header that the client has sent is the same throughout the conversation. */
function ownerIn({ request_data, request_headers }: ForeignRecord): Owner {
  const data = recordOf(request_data) ?? {};
  const named = ["user_api_key_hash", "user_api_key_user_id", "user_api_key_end_user_id", "user_api_key_team_id"];
  const headers = Object.entries(recordOf(request_headers) ?? {}).map(([name, value]) => [name.toLowerCase(), value]);
  const session = headers.find(
    ([name, value]) => /^x-(?:litellm-trace|[a-z0-9-]{1,60}-session)-id$/.test(`${name}`) && value !== HIDDEN,
  );
  return { account: named.map((name) => textOf(data[name]) ?? null), session: textOf(session?.[1]) };
}
