import type { Address, ClientName } from "../store-client.ts";

/** What a process of the load is asked to do. Each is answered with its counts when it is done. */
export type LoadRequest =
  /** Opens connections. */
  | { readonly kind: "open"; readonly client: ClientName; readonly address: Address; readonly count: number }
  /** Gives each connection a fleet of its own, one after another within this time. Each makes a call every two seconds. */
  | { readonly kind: "join"; readonly first: number; readonly withinMs: number; readonly pages: Pages }
  /** Notes how each fleet stands: what is back is told from here on. */
  | { readonly kind: "mark" }
  | { readonly kind: "count" };

/** Which of the fleets loop, by their number, and on what. */
export interface Pages {
  /** One of so many loops; none if 0. */
  readonly oneOf: number;
  /** All on one page, or each on one of its own. */
  readonly isShared: boolean;
}

/** How the fleets of a process stand. */
export interface LoadCounts {
  readonly fleets: number;
  readonly connected: number;
  readonly away: number;
  /** Fleets that have been away since the mark. */
  readonly wereAway: number;
  /** Fleets that are connected, have had an answer in time since the mark, and have nothing waiting. */
  readonly back: number;
  /** When the last of them was, in milliseconds since the epoch. */
  readonly lastBackAt: number;
  readonly reported: number;
  readonly delivered: number;
  readonly lost: number;
  readonly timeouts: number;
  readonly knowing: number;
  /** How late timers of this process are at most: the load's own fault. */
  readonly maxDelayMs: number;
  readonly ownMs: number;
}
