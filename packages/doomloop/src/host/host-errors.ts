import { isObject } from "../core/identity/read-object.ts";

const BLOCKED_MARKER = Symbol.for("doomloop.blocked-call");

const UNEXPLAINED = "The call was refused, because the agent is repeating itself.";

interface BlockedFacts {
  readonly message: string;
  readonly action: "block" | "stop";
  readonly explanation?: string | undefined;
}

/**
 * The error of a blocked call, in hosts that show a tool's failure to the agent as text.
 *
 * It is thrown instead of returning a result, so that typed code never gets our words where it expects a tool's output.
 */
export class BlockedCall extends Error {
  override readonly name = "BlockedCall";
  readonly [BLOCKED_MARKER] = true;
  /** `block` if only the call was refused, `stop` if the run was ended with it. */
  readonly action: "block" | "stop";
  /** Words for people. The message is for the model. */
  declare readonly explanation: string;

  constructor({ message, action, explanation = UNEXPLAINED }: BlockedFacts) {
    super(message);
    this.action = action;
    // Hosts write the other fields of an error into their streams.
    Object.defineProperty(this, "explanation", { value: explanation });
  }
}

/** Whether a tool's error says that the guard blocked the call. Also recognises errors of another copy of this library. */
export function isBlockedCall(value: unknown): value is BlockedCall {
  return isObject(value) && (value as { [BLOCKED_MARKER]?: unknown })[BLOCKED_MARKER] === true;
}

/**
 * Whether the caller gave up a call, according to the signal that the call was made with.
 *
 * A time-out does not count: a call that takes too long every time fails every time. The error that a tool throws does not count
 * either, because a tool may abort its own requests.
 */
export function isCancelled(signal: unknown): boolean {
  if (!isObject(signal)) return false;
  const { aborted, reason } = signal as { aborted?: unknown; reason?: unknown };
  return aborted === true && (reason as { name?: unknown } | undefined)?.name !== "TimeoutError";
}
