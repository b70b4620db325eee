import { isObject } from "../../core/identity/read-object.ts";
import type { LoopStop } from "../../host/host-options.ts";
import { LOOP_DETECTED } from "../../index.ts";

/** The fields of a message that are read here. It may be LangChain's own, or come from JSON. */
export interface MarkedMessage {
  readonly type?: string | undefined;
  readonly role?: string | undefined;
  readonly response_metadata?: object | undefined;
}

/** The result of a run, or the state of a graph. */
export interface MarkedState {
  readonly messages: readonly MarkedMessage[];
}

const MARK = "doomloop";

/**
 * Why the guard ended a run; undefined if it did not. Takes a result, a state, a list of messages or one message.
 *
 * If a list contains several runs, the last one counts. It begins with the user's latest message.
 */
export function loopStop(
  from: MarkedState | readonly MarkedMessage[] | MarkedMessage | undefined,
): LoopStop | undefined {
  for (const message of messagesIn(from).toReversed()) {
    if (!isObject(message)) continue;
    const { type, role, response_metadata: metadata } = message;
    if (type === "human" || role === "user" || role === "human") return undefined;
    const stop = (metadata as { readonly [MARK]?: Partial<LoopStop> } | undefined)?.[MARK];
    if (stop?.status === LOOP_DETECTED) return stop as LoopStop;
  }
  return undefined;
}

/** The field of a message that says why the run ended. A checkpointer saves it, and it is not sent to providers. */
export function stopMark(stop: LoopStop, message: MarkedMessage = {}): { response_metadata: object } {
  return { response_metadata: { ...message.response_metadata, [MARK]: stop } };
}

function messagesIn(from: Parameters<typeof loopStop>[0]): readonly MarkedMessage[] {
  if (!isObject(from)) return [];
  const messages = Array.isArray(from) ? from : "messages" in from ? from.messages : [from];
  return Array.isArray(messages) ? messages : [];
}
