/** A call that must be answered in time. */
export interface WatchedCall {
  /** By `performance.now()`. */
  readonly begunAt: number;
  /** It was answered, or is late. */
  isOver: boolean;
}

/** Watches over calls that must all be answered within the same time. */
export interface Deadlines<Call extends WatchedCall> {
  /** Begins to watch a call that begins now. */
  watch(call: Call): void;
  /** The call was answered: it will not be late any more. */
  end(call: Call): void;
}

/** Places at the front that are given back together. */
const MAX_EMPTY = 1024;

/**
 * One timer for all calls: they fall due in the order in which they began. There is none while nothing is under way, so that a
 * process which sends now and then is not woken up for what was answered long ago.
 *
 * A process that was busy for longer than the deadline finds its timer due before it has looked at its sockets. So when
 * the timer fires, what has arrived meanwhile is read first.
 */
export function createDeadlines<Call extends WatchedCall>(
  deadlineMs: number,
  onLate: (call: Call) => void,
): Deadlines<Call> {
  const calls: Call[] = [];
  let first = 0;
  let timer: NodeJS.Timeout | undefined;

  const arm = ({ begunAt }: Call): void => {
    const ms = Math.ceil(begunAt + deadlineMs - performance.now());
    timer = setTimeout(() => setImmediate(() => setImmediate(check)), Math.max(1, ms));
  };

  const disarm = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };

  const forgetEnded = (): void => {
    while (first < calls.length && calls[first]!.isOver) first++;
    if (first < calls.length && first < MAX_EMPTY) return;
    calls.splice(0, first);
    first = 0;
  };

  const check = (): void => {
    const latest = performance.now() - deadlineMs;
    const late: Call[] = [];
    for (let at = first; at < calls.length && calls[at]!.begunAt <= latest; at++) {
      const call = calls[at]!;
      if (call.isOver) continue;
      call.isOver = true;
      late.push(call);
    }
    forgetEnded();
    disarm();
    if (calls.length > 0) arm(calls[first]!);
    for (const call of late) onLate(call);
  };

  return {
    watch(call) {
      calls.push(call);
      if (timer === undefined) arm(call);
    },
    end(call) {
      call.isOver = true;
      forgetEnded();
      if (calls.length === 0) disarm();
    },
  };
}
