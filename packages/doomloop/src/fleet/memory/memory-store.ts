import {
  cappedCounts,
  type FleetStore,
  type OpenFleetStore,
  type StoreNews,
  type StoreSpace,
  type Suspect,
  type Thresholds,
} from "../store.ts";

interface Counted {
  readonly calls: Set<string>;
  readonly workers: Set<string>;
  readonly endsAt: number;
}

interface Told extends Suspect {
  readonly at: number;
}

const MAX_NAMES = 100_000;
const MAX_CALLS = 128;
const MAX_NEWS = 1024;
const PAGE = 64;

/** A store within one process, for tests and simulations of fleets. All fleets that it is passed to share it. */
export interface MemoryStore {
  /** Pass it to `createStoreFleet({ store })`. */
  readonly open: OpenFleetStore;
  /** Sets a tenant's switch, as an operator does. */
  setSwitch(tenant: string, mode: string | undefined): void;
}

/** Creates an empty store. `now` returns its time in milliseconds. */
export function createMemoryStore(now: () => number = Date.now): MemoryStore {
  const tenants = new Map<string, FleetStore>();
  const switches = new Map<string, string>();
  return {
    open(space) {
      const known = tenants.get(space.tenant) ?? openMemoryStore(space, now, () => switches.get(space.tenant));
      tenants.set(space.tenant, known);
      return known;
    },
    setSwitch(tenant, mode) {
      if (mode === undefined) switches.delete(tenant);
      else switches.set(tenant, mode);
    },
  };
}

function openMemoryStore({ windowMs }: StoreSpace, now: () => number, switchNow: () => string | undefined): FleetStore {
  const counted = new Map<string, Counted>();
  const firsts = new Map<string, number>();
  /** When each run stops counting, the earliest first. */
  const runs = new Map<string, number>();
  let stops = { count: 0, endsAt: 0 };
  let news: Told[] = [];
  let newsBefore = 0;
  let agreed: string | undefined;

  const find = (name: string): Counted | undefined => {
    const found = counted.get(name);
    if (found === undefined || found.endsAt > now()) return found;
    counted.delete(name);
    return undefined;
  };
  const countsOf = (found: Counted | undefined): Thresholds =>
    cappedCounts([found?.calls.size ?? 0, found?.workers.size ?? 0]);

  const isFirst = (name: string): boolean => {
    if ((firsts.get(name) ?? 0) > now()) return false;
    makeRoom(firsts);
    firsts.set(name, now() + windowMs);
    return true;
  };

  return {
    async count({ name, calls, witness }) {
      const before = countsOf(find(name));
      if (!counted.has(name)) makeRoom(counted);
      const found = find(name) ?? { calls: new Set(), workers: new Set(), endsAt: now() + windowMs };
      for (const call of calls) if (found.calls.size < MAX_CALLS) found.calls.add(call);
      if (found.workers.size < MAX_CALLS) found.workers.add(witness);
      counted.set(name, found);
      return { before, after: countsOf(found), lastsMs: found.endsAt - now() };
    },
    async forget(name) {
      const before = countsOf(find(name));
      counted.delete(name);
      return before;
    },
    async announce(announcements) {
      for (const { isConfirmed: _, ...suspect } of announcements) news.push({ ...suspect, at: now() });
      const surplus = Math.max(0, news.length - MAX_NEWS);
      news = news.slice(surplus);
      newsBefore += surplus;
      return announcements.map(({ name, isConfirmed }) => isConfirmed && isFirst(name));
    },
    async beat({ cursor, agreement }) {
      const from = Math.max(newsBefore, typeof cursor === "number" ? cursor : 0);
      const page = news.slice(from - newsBefore, from - newsBefore + PAGE);
      const end = from + page.length;
      const answer = { switch: switchNow(), agreed, news: page.map(aged), cursor: end };
      if (answer.switch !== "off") agreed ??= agreement;
      const isComplete = end === newsBefore + news.length;
      return { ...answer, isComplete, isMore: !isComplete };
    },
    async permit({ runs: active, places }) {
      for (const run of active) {
        runs.delete(run);
        runs.set(run, now() + windowMs);
      }
      for (const [run, endsAt] of runs) {
        if (endsAt > now()) break;
        runs.delete(run);
      }
      if (stops.endsAt <= now()) stops = { count: 0, endsAt: now() + windowMs };
      const first = stops.count + 1;
      stops.count += places;
      return { places: Array.from({ length: places }, (_, at) => first + at), runs: runs.size };
    },
  };

  function aged({ at, ...suspect }: Told): StoreNews {
    const ageMs = now() - at;
    return { ...suspect, ageMs, lastsMs: suspect.lastsMs - ageMs };
  }
}

/** The name that was added first makes room. */
function makeRoom(names: Map<string, unknown>): void {
  const [oldest] = names.keys();
  if (names.size >= MAX_NAMES && oldest !== undefined) names.delete(oldest);
}
