import type { RedisCommands } from "../redis-commands.ts";

/** What is used of a client of `@valkey/valkey-glide`: a `GlideClient` or a `GlideClusterClient`. */
export interface GlideClient {
  customCommand(words: string[]): Promise<unknown>;
  close(): void;
}

export function isGlideClient(client: object): client is GlideClient {
  return "customCommand" in client && "close" in client;
}

export function glideCommands(client: GlideClient): RedisCommands {
  const run = (command: string, script: string, keys: readonly string[], words: readonly string[]): Promise<unknown> =>
    client.customCommand([command, script, String(keys.length), ...keys, ...words]);
  return {
    // This client does not tell, and makes no copies: it watches over its connections itself.
    isReady: () => true,
    evalSha: (sha, keys, words) => run("EVALSHA", sha, keys, words),
    eval: (text, keys, words) => run("EVAL", text, keys, words),
    renew: () => false,
    revive: () => false,
    close() {},
  };
}
