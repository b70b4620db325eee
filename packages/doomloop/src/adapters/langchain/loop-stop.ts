import type { LoopStop } from "../../host/host-options.ts";
import { isObject } from "../../host/is-object.ts";
import { LOOP_DETECTED } from "../../index.ts";

/** What is read of a message: the host's own, or one that came as JSON. */
export interface MarkedMessage {
  readonly type?: string | undefined;
  readonly role?: string | undefined;
  readonly response_metadata?: object | undefined;
}

/** What a run gives back, or what a graph's state holds. */
export interface MarkedState {
  readonly messages: readonly MarkedMessage[];
}

const MARK = "doomloop";

/**
 * Reads why the guard ended a run, from its result, a state, a list of messages or a message. Undefined if it did not.
 *
 * In a list that holds more than one run, the last one counts: it begins with the user's latest message.
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

/** The field of a message that says why the run ended. A checkpointer keeps it, and no provider is sent it. */
export function stopMark(stop: LoopStop, message: MarkedMessage = {}): { response_metadata: object } {
  return { response_metadata: { ...message.response_metadata, [MARK]: stop } };
}

function messagesIn(from: Parameters<typeof loopStop>[0]): readonly MarkedMessage[] {
  if (!isObject(from)) return [];
  const messages = Array.isArray(from) ? from : "messages" in from ? from.messages : [from];
  return Array.isArray(messages) ? messages : [];
}
