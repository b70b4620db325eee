import { type ForeignRecord, recordOf, textOf } from "../../transcripts/foreign-value.ts";
import type { Conversations, Owner } from "./conversations.ts";
import { messageListOf } from "./message-list.ts";

/** What Portkey's webhook takes as an answer. */
export interface PortkeyAnswer {
  /** False refuses the request, if the guardrail is set to deny. */
  readonly verdict: boolean;
  /** Stands in the gateway's answer to the client. */
  readonly data?: { readonly status: "LOOP_DETECTED"; readonly explanation: string };
  /** The request as it is to be sent. Without it, nothing is changed. */
  readonly transformedData?: { readonly request: { readonly json: ForeignRecord } };
}

/** The request is sent as it is. */
export const PORTKEY_GOES_ON: PortkeyAnswer = { verdict: true };

/** Answers Portkey's webhook, before a request goes to the model. */
export async function answerPortkey(conversations: Conversations, body: unknown): Promise<PortkeyAnswer> {
  const { request, metadata, eventType } = recordOf(body) ?? {};
  const json = recordOf(recordOf(request)?.json);
  if (eventType !== "beforeRequestHook" || json === undefined) return PORTKEY_GOES_ON;
  const list = messageListOf(json);
  if (list === undefined) return PORTKEY_GOES_ON;
  const { items, refusal } = await conversations.judge(list.items, ownerIn(json, recordOf(metadata) ?? {}));
  if (refusal !== undefined) return { verdict: false, data: { status: "LOOP_DETECTED", explanation: refusal } };
  const isSame = items.every((item, at) => item === list.items[at]);
  return isSame ? PORTKEY_GOES_ON : { verdict: true, transformedData: { request: { json: list.replaced(items) } } };
}

/** Portkey sends what the client has put into `x-portkey-metadata`, and the request itself, which may name a user. It sends no trace id. */
function ownerIn(json: ForeignRecord, metadata: ForeignRecord): Owner {
  const { user_id } = recordOf(json.metadata) ?? {};
  const named = [metadata._user, metadata.user, metadata.user_id, json.user, json.safety_identifier, user_id];
  const session = textOf(metadata.session_id) ?? textOf(metadata.conversation_id);
  return { account: named.map((name) => textOf(name) ?? null), session };
}
