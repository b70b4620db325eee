import type { FleetStore, OpenFleetStore } from "doomloop/fleet";

interface Counted {
  readonly calls: Set<string>;
  readonly processes: Set<string>;
  readonly endsAt: number;
}

/** A store within one process. All fleets that it is passed to share it. `now` returns its time in milliseconds. */
export function createMemoryStore(now: () => number = Date.now): OpenFleetStore {
  const tenants = new Map<string, FleetStore>();
  return ({ tenant, windowMs }) => {
    const known = tenants.get(tenant) ?? openMemoryStore(windowMs, now);
    tenants.set(tenant, known);
    return known;
  };
}

function openMemoryStore(windowMs: number, now: () => number): FleetStore {
  const counted = new Map<string, Counted>();
  const list = new Map<string, string>();
  return {
    async count({ name, calls, process }) {
      const before = counted.get(name);
      const isOver = before === undefined || before.endsAt <= now();
      const found = isOver ? { calls: new Set(), processes: new Set(), endsAt: now() + windowMs } : before;
      for (const call of calls) found.calls.add(call);
      if (calls.length > 0)
        counted
          .set(name, found as Counted)
          .get(name)!
          .processes.add(process);
      const [made, by] = [found.calls.size, found.processes.size];
      return {
        calls: Math.min(100, made),
        processes: Math.min(100, by),
        lastsMs: made === 0 ? 0 : found.endsAt - now(),
      };
    },
    async suspect({ name, tool }) {
      if (list.has(name) || list.size >= 100) return false;
      list.set(name, tool);
      return true;
    },
    suspects: async () => [...list].map(([name, tool]) => ({ name, tool })),
    async clear(name) {
      counted.delete(name);
      list.delete(name);
    },
  };
}
