import { isObject } from "./is-object.ts";

const MARKER = Symbol.for("doomloop.blocked-call");

/**
 * What a blocked call fails with, in hosts where a tool's failure is text for the agent.
 *
 * It is thrown in place of the tool's own result, so that typed code never gets our words where it expects an output.
 */
export class BlockedCall extends Error {
  override readonly name = "BlockedCall";
  readonly [MARKER] = true;
  /** Whether the call alone was refused, or the run was ended with it. */
  readonly action: "block" | "stop";

  constructor({ message, action }: { readonly message: string; readonly action: "block" | "stop" }) {
    super(message);
    this.action = action;
  }
}

/** Whether a tool's error is a call that the guard blocked, also by another copy of this library. */
export function isBlockedCall(value: unknown): value is BlockedCall {
  return isObject(value) && (value as { [MARKER]?: unknown })[MARKER] === true;
}
