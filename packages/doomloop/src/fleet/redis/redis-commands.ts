/** The few things asked of a client, whichever it is. */
export interface RedisCommands {
  /** Whether a command would go out now, and not into a queue of the client's. */
  isReady(): boolean;
  /** Whether it will not be ready however long one waits: its owner has closed it, or never opened it. */
  isEnded(): boolean;
  /** Runs a script that the server knows by its hash. Rejects with `NOSCRIPT` in the message if it does not. */
  evalSha(sha: string, keys: readonly string[], words: readonly string[]): Promise<unknown>;
  /** Runs a script by its text, after which the server knows it. */
  eval(text: string, keys: readonly string[], words: readonly string[]): Promise<unknown>;
  /** Gives the connection up, so that nothing waits behind a reply that never comes; true if there is a new one now. */
  renew(): boolean;
  /** The connection is not ready: gives it up as well if it has been made for too long; true if it has time left. */
  revive(): boolean;
  /** Ends what was opened beside the caller's own client. */
  close(): void;
}
