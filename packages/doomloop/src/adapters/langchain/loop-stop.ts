import { safely } from "../../core/faults.ts";
import { isObject } from "../../core/identity/read-object.ts";
import type { LoopStop } from "../../host/host-options.ts";
import { LOOP_DETECTED } from "../../index.ts";

/** The fields of a message that are read here. It may be LangChain's own, or come from JSON. */
export interface MarkedMessage {
  readonly type?: string | undefined;
  readonly role?: string | undefined;
  readonly response_metadata?: object | undefined;
}

/** The error that a stopped run is rejected with, if the adapter's user asks for one. */
export class LoopStopError extends Error {
  override readonly name = "LoopStopError";
  readonly stop: LoopStop;

  constructor(stop: LoopStop) {
    super(stop.explanation);
    this.stop = stop;
  }
}

/** A run that is still going on has no end yet. */
type Settled<From> = From extends PromiseLike<unknown> ? never : From;

const MARK = "doomloop";
const MAX_CAUSES = 8;

/**
 * Why the guard ended a run; undefined if it did not. Takes a result, a state, a list of messages, one message, or the error of a run with
 * `exitBehavior: "error"`.
 *
 * If a list contains several runs, the last one counts. It begins with the user's latest message.
 */
export function loopStop<From>(from: From & Settled<From>): LoopStop | undefined {
  return safely(() => stopOfError(from) ?? stopInMessages(messagesIn(from)));
}

/** LangChain may wrap an error in its own. Another copy of this library has another class. */
function stopOfError(error: unknown): LoopStop | undefined {
  let cause = error;
  for (let depth = 0; depth < MAX_CAUSES && cause instanceof Error; depth++) {
    const { stop } = cause as Partial<LoopStopError>;
    if (stop?.status === LOOP_DETECTED) return stop;
    cause = cause.cause;
  }
  return undefined;
}

function stopInMessages(messages: readonly MarkedMessage[]): LoopStop | undefined {
  for (const message of messages.toReversed()) {
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

/** The messages of a result, or of the state of a graph. */
function messagesIn(from: unknown): readonly MarkedMessage[] {
  if (!isObject(from)) return [];
  const messages = Array.isArray(from) ? from : "messages" in from ? from.messages : [from];
  return Array.isArray(messages) ? messages : [];
}
