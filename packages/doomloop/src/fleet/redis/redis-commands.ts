/** A command and its words. Commands that are sent together are about keys of one slot; the first key is the second word. */
export type Command = readonly [name: string, ...words: string[]];

/** The one thing that is asked of a client, whichever it is. */
export interface RedisCommands {
  /** Sends commands together. Resolves to one reply for each, an `Error` for one that failed. */
  send(commands: readonly Command[]): Promise<readonly unknown[]>;
}

const heard = new WeakSet<object>();

/** Listens to lost connections, which end the process where nobody does. What goes wrong is seen by the commands that fail. */
export function hearErrors(client: { on(event: "error", listener: () => void): unknown }): void {
  if (heard.has(client)) return;
  heard.add(client);
  client.on("error", () => {});
}

export function toError(fault: unknown): Error {
  return fault instanceof Error ? fault : new Error(String(fault));
}
