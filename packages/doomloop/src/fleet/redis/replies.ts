import type { Command } from "./redis-commands.ts";

const MAX_REASON = 120;
const FOREIGN = /^(?:WRONGTYPE|INVALIDOBJ|ERR value is not an integer|ERR increment or decrement would overflow)/;

/** A text, which some clients hand over as bytes; undefined for anything else. */
export function textIn(reply: unknown): string | undefined {
  if (typeof reply === "string") return reply;
  return reply instanceof Uint8Array ? Buffer.from(reply).toString("utf8") : undefined;
}

/** A whole number from 0 on; undefined for anything else. */
export function numberIn(reply: unknown): number | undefined {
  const text = typeof reply === "number" || typeof reply === "bigint" ? String(reply) : (textIn(reply) ?? "");
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(value) ? value : undefined;
}

export function listIn(reply: unknown): readonly unknown[] {
  return Array.isArray(reply) ? reply : [];
}

/** Why something failed, fit to be shown: one short line of plain characters. */
export function printableReason({ message }: Error): string {
  return message.slice(0, MAX_REASON).replaceAll(/[^ -~]+/g, " ");
}

/** The keys that hold something else than these commands expect. */
export function foreignKeys(commands: readonly Command[], replies: readonly unknown[]): string[] {
  return commands.flatMap(([, key = ""], at) => {
    const reply = replies[at];
    return reply instanceof Error && FOREIGN.test(reply.message) ? [key] : [];
  });
}

/** The first error among replies. */
export function errorIn(replies: readonly unknown[]): Error | undefined {
  return replies.find((reply) => reply instanceof Error);
}
