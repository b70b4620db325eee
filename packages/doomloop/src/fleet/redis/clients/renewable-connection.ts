/** The connection in use: the caller's client, or after a fault a copy of it. */
export interface RenewableConnection<Client> {
  current(): Client;
  isReady(): boolean;
  isEnded(): boolean;
  renew(): boolean;
  revive(): boolean;
  close(): void;
}

export interface ConnectionOptions<Client> {
  readonly original: Client;
  isReady(client: Client): boolean;
  /** Whether its owner has closed it, or never opened it. */
  isEnded(client: Client): boolean;
  /** A new client with the same settings, which connects in the background. */
  copy(client: Client): Client;
  /** Ends a copy at once, without waiting for its peer. */
  end(client: Client): void;
}

const FIRST_PATIENCE_MS = 300;
const MAX_PATIENCE_MS = 600;

/**
 * Replaces a connection that does not answer by a copy of the caller's client.
 *
 * A client's own way to begin anew waits for a goodbye of the dead peer, or pauses for seconds between its trials, or hangs in a
 * handshake whose bytes were lost. A copy starts at once, and whatever else the caller does on its client is not disturbed.
 */
export function createRenewableConnection<Client>(options: ConnectionOptions<Client>): RenewableConnection<Client> {
  const { original, isReady, isEnded, copy, end } = options;
  let client = original;
  let since = performance.now();
  let patienceMs = FIRST_PATIENCE_MS;

  const endCopy = (): void => {
    if (client === original) return;
    const ended = client;
    client = original;
    try {
      end(ended);
    } catch {
      // It is gone already.
    }
  };

  const renew = (): boolean => {
    endCopy();
    since = performance.now();
    if (isEnded(original)) return false;
    try {
      client = copy(original);
      return true;
    } catch {
      // A client that cannot be copied is used as it is.
      return false;
    }
  };

  return {
    current: () => client,
    isReady() {
      // Whoever closes a client does not want us to go on with a copy.
      if (isEnded(original)) endCopy();
      if (!isReady(client)) return false;
      patienceMs = FIRST_PATIENCE_MS;
      return true;
    },
    isEnded: () => isEnded(original),
    renew,
    revive() {
      if (performance.now() - since < patienceMs) return !isEnded(original);
      patienceMs = Math.min(MAX_PATIENCE_MS, patienceMs * 2);
      renew();
      return false;
    },
    close: endCopy,
  };
}
