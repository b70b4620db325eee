/** Watches over calls that must all be answered within the same time. */
export interface Deadlines {
  /** Begins to watch; `onLate` is called once, unless the call is over before. */
  watch(onLate: () => void): Watched;
}

interface Watched {
  isOver: boolean;
}

interface Entry extends Watched {
  readonly dueAt: number;
  readonly onLate: () => void;
}

/**
 * One timer for all calls: they fall due in the order in which they began.
 *
 * A process that was busy for longer than the deadline finds its timer due before it has looked at its sockets. So when
 * the timer fires, what has arrived meanwhile is read first.
 */
export function createDeadlines(deadlineMs: number): Deadlines {
  let waiting: Entry[] = [];
  let timer: NodeJS.Timeout | undefined;

  const arm = (dueAt: number): void => {
    timer = setTimeout(
      () => setImmediate(() => setImmediate(check)),
      Math.max(1, Math.ceil(dueAt - performance.now())),
    );
  };

  const check = (): void => {
    const now = performance.now();
    const late = waiting.filter(({ isOver, dueAt }) => !isOver && dueAt <= now);
    waiting = waiting.filter(({ isOver, dueAt }) => !isOver && dueAt > now);
    timer = undefined;
    if (waiting.length > 0) arm(waiting[0]!.dueAt);
    for (const entry of late) {
      entry.isOver = true;
      entry.onLate();
    }
  };

  return {
    watch(onLate) {
      const entry: Entry = { isOver: false, dueAt: performance.now() + deadlineMs, onLate };
      waiting.push(entry);
      if (timer === undefined) arm(entry.dueAt);
      return entry;
    },
  };
}
