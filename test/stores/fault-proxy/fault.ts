/**
 * A fault of a network connection.
 *
 * Delayed and held bytes keep their order and are delivered in the end, as in TCP. Swallowed bytes are lost: a connection that
 * lost some stays dead when the network heals, like one whose address translation was forgotten.
 */
export type Fault =
  | { readonly kind: "pass" }
  /** Each direction takes this long, plus up to `jitterMs`. */
  | { readonly kind: "delay"; readonly delayMs: number; readonly jitterMs?: number }
  /** Accepts connections and bytes, and answers nothing. */
  | { readonly kind: "blackhole" }
  /** Connections are reset when bytes arrive. */
  | { readonly kind: "reset" }
  /** Nobody listens, and open connections are reset. */
  | { readonly kind: "refuse" }
  /** One direction passes, the other is swallowed. */
  | { readonly kind: "half-open"; readonly swallowed: "requests" | "replies" }
  /** Arrives in pieces of this size. */
  | { readonly kind: "slice"; readonly bytes: number }
  | { readonly kind: "throttle"; readonly bytesPerSecond: number }
  /** Requests pass. Replies wait until the network heals, even if nobody waits for them any more. */
  | { readonly kind: "late-replies" }
  /** This many bytes of the replies arrive, then the connection ends. */
  | { readonly kind: "close-mid-reply"; readonly afterBytes: number }
  /** One byte in this many is missing from the replies. TCP does not do this, but a broken peer may. */
  | { readonly kind: "drop-bytes"; readonly every: number }
  /** Each command is answered with this error and does not reach the server. */
  | { readonly kind: "error-replies"; readonly message: string };

/** The fourteen modes of the fault matrix, by name. */
export const faultModes: Readonly<Record<string, Fault>> = {
  pass: { kind: "pass" },
  "delay 10 ms": { kind: "delay", delayMs: 10 },
  "delay 50 ms": { kind: "delay", delayMs: 50 },
  "delay 200 ms": { kind: "delay", delayMs: 200 },
  jitter: { kind: "delay", delayMs: 0, jitterMs: 40 },
  blackhole: { kind: "blackhole" },
  reset: { kind: "reset" },
  refuse: { kind: "refuse" },
  "single bytes": { kind: "slice", bytes: 1 },
  "10 KB a second": { kind: "throttle", bytesPerSecond: 10_000 },
  "half-open": { kind: "half-open", swallowed: "replies" },
  "late replies": { kind: "late-replies" },
  "dropped bytes": { kind: "drop-bytes", every: 97 },
  "error replies": { kind: "error-replies", message: "LOADING server is loading the dataset in memory" },
};
