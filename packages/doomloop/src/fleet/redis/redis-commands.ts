const MAX_REASON = 120;
/** Errors about a key that holds something else than expected. */
const FOREIGN = /^(?:WRONGTYPE|INVALIDOBJ|ERR value is not an integer|ERR increment or decrement would overflow)/;

/** A command and its arguments, the first of which is a key. Commands that are sent together have keys of one slot. */
export type Command = readonly [name: string, ...words: string[]];

/** The one thing that a fleet needs from a client. */
export interface RedisCommands {
  /** Sends commands together. Resolves to one reply for each; the reply to a command that failed is an `Error`. */
  send(commands: readonly Command[]): Promise<readonly unknown[]>;
}

const heard = new WeakSet<object>();

/** Without a listener, a lost connection would end the process. The error itself shows in the commands that fail. */
export function hearErrors(client: { on(event: "error", listener: () => void): unknown }): void {
  if (heard.has(client)) return;
  heard.add(client);
  client.on("error", () => {});
}

export function toError(fault: unknown): Error {
  return fault instanceof Error ? fault : new Error(String(fault));
}

/** The text of a reply, which some clients return as bytes; undefined for anything else. */
export function textIn(reply: unknown): string | undefined {
  if (typeof reply === "string") return reply;
  return reply instanceof Uint8Array ? Buffer.from(reply).toString("utf8") : undefined;
}

/** The whole number, at least 0, of a reply; undefined for anything else. */
export function numberIn(reply: unknown): number | undefined {
  const text = typeof reply === "number" || typeof reply === "bigint" ? String(reply) : (textIn(reply) ?? "");
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(value) ? value : undefined;
}

/** The bytes of a reply. */
export function bytesIn(reply: unknown): Uint8Array {
  return reply instanceof Uint8Array ? reply : Buffer.from(typeof reply === "string" ? reply : "");
}

/** The answer to TIME in milliseconds; undefined for anything else. */
export function readServerTime(reply: unknown): number | undefined {
  const [seconds, microseconds] = listIn(reply).map(numberIn);
  return seconds === undefined || microseconds === undefined ? undefined : seconds * 1000 + microseconds / 1000;
}

export function listIn(reply: unknown): readonly unknown[] {
  return Array.isArray(reply) ? reply : [];
}

/** An error's message, safe to show: one short line of plain ASCII. */
export function printableReason({ message }: Error): string {
  return message.slice(0, MAX_REASON).replaceAll(/[^ -~]+/g, " ");
}

/** The keys that hold something else than these commands expect, by the replies. */
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
