import { isObject } from "./is-object.ts";

/**
 * Whether whoever made a call gave it up, by the signal that the call was made with.
 *
 * A signal whose time is up tells of no such will: a call that takes too long each time fails each time. Nor does the error that a tool
 * throws: a tool may abort its own requests.
 */
export function isCancelled(signal: unknown): boolean {
  if (!isObject(signal)) return false;
  const { aborted, reason } = signal as Partial<AbortSignal>;
  return aborted === true && (reason as { name?: unknown } | undefined)?.name !== "TimeoutError";
}
