import { MAX_COUNTED } from "./store.ts";

/** What waits to be sent about one name. */
export interface Waiting {
  readonly name: string;
  tool: string;
  /** The call worked first, so the store must forget what it counts. */
  isCleared: boolean;
  /** The calls that failed since then, by their names in the store, at most `MAX_COUNTED`. */
  calls: Set<string>;
  /** All reports, including those that no longer count. */
  reports: number;
  readonly since: number;
}

const MAX_WAITING = 1000;
/** Names in one delivery. With the pause between deliveries, this limits a process to about 50 a second. */
const AT_ONCE = 16;
/** Older reports are given up, so that a success is never much older than the calls that are counted after it. */
export const MAX_WAIT_MS = 10_000;

/** The bounded queue of reports for the store. `onLost` is called with the number of reports that are given up. */
export function createReportQueue(now: () => number, onLost: (reports: number) => void) {
  const waiting = new Map<string, Waiting>();

  const find = (name: string): Waiting => {
    const nothing = { name, tool: "", isCleared: false, calls: new Set<string>(), reports: 0, since: now() };
    const found = waiting.get(name) ?? nothing;
    if (found === nothing && waiting.size >= MAX_WAITING) lose(waiting.values().next().value!);
    waiting.set(name, found);
    return found;
  };

  const lose = ({ name, reports }: Waiting): void => {
    waiting.delete(name);
    if (reports > 0) onLost(reports);
  };

  return {
    failed(name: string, tool: string, call: string): void {
      const found = find(name);
      found.tool = tool;
      found.reports++;
      if (found.calls.size < MAX_COUNTED) found.calls.add(call);
    },
    /** The call worked: what waits about it no longer counts. */
    worked: (name: string): unknown => Object.assign(find(name), { isCleared: true, calls: new Set() }),
    /** The store did not take this. It must still be told that the call worked before what waits now. */
    giveBack({ name, isCleared }: Waiting): void {
      if (isCleared) find(name).isCleared = true;
    },
    /** Removes and returns what is sent next. */
    take(): readonly Waiting[] {
      for (const each of waiting.values()) {
        if (each.since >= now() - MAX_WAIT_MS) break;
        lose(each);
        if (each.isCleared) find(each.name).isCleared = true;
      }
      const taken = [...waiting.values()].slice(0, AT_ONCE);
      for (const { name } of taken) waiting.delete(name);
      return taken;
    },
    isEmpty: () => waiting.size === 0,
    /** Gives up everything. */
    drop: () => [...waiting.values()].forEach(lose),
  };
}
