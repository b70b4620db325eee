import { setImmediate as settled } from "node:timers/promises";

/** A clock that moves only when there is nothing left to do now. */
export interface VirtualTime {
  readonly now: () => number;
  /** Runs everything that is due until this time, in order. */
  runUntil(ms: number): Promise<void>;
  /** Does something at this time. */
  at(ms: number, action: () => void): void;
  /** Gives the real timers and the real chance back. */
  end(): void;
}

interface Timer {
  readonly ms: number;
  readonly order: number;
  action: (() => void) | undefined;
}

/**
 * Replaces timers, clocks and chance by ones that a simulation controls, so that ten thousand workers live through minutes in seconds, and
 * the same seed gives the same run. Only for code that waits with `setTimeout` and promises.
 */
export function startVirtualTime(random: () => number): VirtualTime {
  const real = { setTimeout, clearTimeout, random: Math.random, now: performance.now.bind(performance) };
  const timers: Timer[] = [];
  let nowMs = 0;
  let order = 0;

  const add = (action: () => void, delayMs: number): Timer => {
    const timer = { ms: nowMs + Math.max(0, delayMs), order: order++, action };
    push(timers, timer);
    return timer;
  };
  globalThis.setTimeout = ((action: () => void, delayMs = 0) => {
    const timer = add(action, delayMs);
    const handle = { timer, unref: () => handle, ref: () => handle };
    return handle;
  }) as unknown as typeof setTimeout;
  globalThis.clearTimeout = ((handle?: { readonly timer?: Timer }) => {
    if (handle?.timer !== undefined) handle.timer.action = undefined;
  }) as unknown as typeof clearTimeout;
  performance.now = () => nowMs;
  Math.random = random;

  return {
    now: () => nowMs,
    at: (ms, action) => void add(action, ms - nowMs),
    async runUntil(ms) {
      for (let next = timers[0]; next !== undefined && next.ms <= ms; next = timers[0]) {
        pop(timers);
        if (next.action === undefined) continue;
        nowMs = next.ms;
        next.action();
        // Lets everything happen that follows from it.
        await settled();
      }
      nowMs = ms;
    },
    end() {
      globalThis.setTimeout = real.setTimeout;
      globalThis.clearTimeout = real.clearTimeout;
      performance.now = real.now;
      Math.random = real.random;
    },
  };
}

function isBefore(one: Timer, other: Timer): boolean {
  return one.ms < other.ms || (one.ms === other.ms && one.order < other.order);
}

/** Adds to a heap whose first item is the earliest. */
function push(heap: Timer[], timer: Timer): void {
  let at = heap.push(timer) - 1;
  while (at > 0 && isBefore(heap[at]!, heap[(at - 1) >> 1]!)) {
    const parent = (at - 1) >> 1;
    [heap[at], heap[parent]] = [heap[parent]!, heap[at]!];
    at = parent;
  }
}

/** Removes the earliest item. */
function pop(heap: Timer[]): void {
  const last = heap.pop()!;
  if (heap.length === 0) return;
  heap[0] = last;
  for (let at = 0; ; ) {
    const children = [2 * at + 1, 2 * at + 2].filter((child) => child < heap.length);
    const first = children.reduce((best, child) => (isBefore(heap[child]!, heap[best]!) ? child : best), at);
    if (first === at) return;
    [heap[at], heap[first]] = [heap[first]!, heap[at]!];
    at = first;
  }
}

/** Numbers from 0 to 1, the same for the same seed. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
