import type { AgentEvent } from "../../core/event.ts";

/** Tells which call of a run an event belongs to, by the same pairing that the core uses. */
export interface CallIndices {
  /** Call events so far. */
  readonly count: number;
  /** The index of the call that an event makes, answers, or comes after. */
  indexOf(event: AgentEvent): number;
}

/**
 * Creates the count of a run's calls.
 *
 * All call events count, also those that the core leaves out: an index must lead back to the recording.
 */
export function createCallIndices(): CallIndices {
  let count = 0;
  /** Open calls with their ids, oldest first. */
  const open = new Map<number, unknown>();
  const byId = new Map<unknown, number[]>();

  const add = (id: unknown): number => {
    const index = count++;
    open.set(index, id);
    const same = byId.get(id);
    if (same === undefined) byId.set(id, [index]);
    else same.push(index);
    return index;
  };

  const take = (id: unknown): number | undefined => {
    const isOldest = id === undefined;
    const index = isOldest ? open.keys().next().value : byId.get(id)?.at(-1);
    if (index === undefined) return undefined;
    const key = open.get(index);
    open.delete(index);
    const same = byId.get(key)!;
    // The oldest of all is the first of its id.
    if (isOldest) same.shift();
    else same.pop();
    if (same.length === 0) byId.delete(key);
    return index;
  };

  return {
    get count() {
      return count;
    },
    indexOf(event) {
      if (event.type === "call") return add(event.id);
      const answered = event.type === "result" ? take(event.id) : undefined;
      return answered ?? Math.max(0, count - 1);
    },
  };
}
