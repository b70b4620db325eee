import { isObject } from "../../host/is-object.ts";
import type { MessageLike } from "./messages.ts";

/** The few fields of a content block that are read here, in the standard wording or in a provider's. */
export interface BlockLike {
  readonly type?: string;
  readonly text?: unknown;
  readonly reasoning?: unknown;
  readonly thinking?: unknown;
  readonly id?: string;
  readonly name?: string;
  readonly args?: unknown;
  readonly toolCallId?: string;
  readonly output?: unknown;
  readonly status?: string;
}

/** The content of a message as a list of blocks. */
export function contentBlocks(message: MessageLike): readonly BlockLike[] {
  const blocks = standardBlocks(message) ?? message.content;
  return Array.isArray(blocks) ? blocks.filter(isObject) : [{ type: "text", text: blocks }];
}

/** Made by a translator of the host's, which may not expect what a server sends. */
function standardBlocks(message: MessageLike): unknown {
  try {
    return message.contentBlocks;
  } catch {
    return undefined;
  }
}
