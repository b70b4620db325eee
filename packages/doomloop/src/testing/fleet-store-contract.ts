import type { FleetStore, OpenFleetStore } from "../fleet/store.ts";

/** A part of the contract: resolves to what is broken, as a sentence, or to nothing. */
type Promised = (stores: Stores) => Promise<string | false>;

/** Stores of one tenant, each as in a process of its own, and one of another tenant. */
interface Stores {
  readonly one: FleetStore;
  readonly two: FleetStore;
  readonly other: FleetStore;
  readonly windowMs: number;
}

/** Long enough for a slow store, and short enough to wait for. */
const WINDOW_MS = 1_500;
const MAX_COUNTED = 100;
const MAX_SUSPECTS = 100;

/**
 * Rejects unless a store keeps the contract of `FleetStore`: counts are sets and end with their window, all processes see one list, and
 * a call that has worked is forgotten. Takes a few seconds, and leaves behind keys of tenants whose names begin with `contract-`.
 */
export async function assertFleetStore(open: OpenFleetStore): Promise<void> {
  const results = PROMISES.map(async (promise, at) => {
    const windowMs = promise === ending ? WINDOW_MS : 100 * WINDOW_MS;
    const tenant = `contract-${at}-${Math.random().toString(36).slice(2, 10)}`;
    const [one, two] = [open({ tenant, windowMs }), open({ tenant, windowMs })];
    try {
      return await promise({ one, two, other: open({ tenant: `${tenant}-other`, windowMs }), windowMs });
    } catch (fault) {
      return `it rejects: ${fault instanceof Error ? fault.message : String(fault)}`;
    }
  });
  const broken = (await Promise.all(results)).filter((result) => result !== false);
  if (broken.length > 0) throw new Error(`assertFleetStore: ${broken.join("; ")}`);
}

const name = (number: number): string => `name-${number}-`.padEnd(22, "x");
const calls = (count: number, first = 0): string[] => Array.from({ length: count }, (_, at) => `call ${first + at}`);
const report = (number: number, made: readonly string[], process = "a") => ({
  name: name(number),
  calls: made,
  process,
});

/** Says what is required, if it is not what was got. */
async function differs(what: string, wanted: string, got: Promise<string>): Promise<string | false> {
  const found = await got;
  return found !== wanted && `${what}: ${wanted} is required, got ${found}`;
}

async function countOf(
  store: FleetStore,
  number: number,
  made: readonly string[] = [],
  process = "a",
): Promise<string> {
  const { calls: counted, processes } = await store.count(report(number, made, process));
  return `${counted}/${processes}`;
}

async function ending({ one, two, windowMs }: Stores): Promise<string | false> {
  await one.count(report(1, calls(3)));
  await passed(windowMs / 2);
  const { lastsMs } = await two.count(report(1, calls(3, 3), "b"));
  if (!(lastsMs > 0 && lastsMs <= windowMs / 2))
    return `count: lastsMs: at most the rest of the window is required, got ${lastsMs}`;
  await passed(windowMs / 2 + 200);
  return differs("count: a window after the first call", "0/0", countOf(one, 1));
}

const PROMISES: readonly Promised[] = [
  ending,
  async ({ one, two }) => {
    const counts = async () => [
      await countOf(one, 1, calls(3)),
      await countOf(one, 1, calls(3)),
      await countOf(two, 1, calls(2, 3), "b"),
      await countOf(two, 1, [], "c"),
    ];
    return differs(
      "count: calls/processes",
      "3/1, 3/1, 5/2, 5/2",
      counts().then((seen) => seen.join(", ")),
    );
  },
  async ({ one }) => {
    let counted = 0;
    for (let made = 10; made <= 150; made += 10) {
      counted = (await one.count(report(1, calls(10, made - 10)))).calls;
      if (counted > Math.min(made, MAX_COUNTED))
        return `count: it must never be too high, got ${counted} of ${made} calls`;
    }
    return counted < MAX_COUNTED && `count: ${MAX_COUNTED} of 150 calls are required, got ${counted}`;
  },
  async ({ one, other }) => {
    await one.count(report(1, calls(3)));
    const counts = Promise.all([countOf(one, 2), countOf(other, 1)]);
    return differs(
      "count: of another name, and of another tenant",
      "0/0, 0/0",
      counts.then((seen) => seen.join(", ")),
    );
  },
  async ({ one, two, other }) => {
    const suspect = (number: number) => ({ name: name(number), tool: "fetch" });
    const added = [await one.suspect(suspect(1)), await two.suspect(suspect(1)), await two.suspect(suspect(2))];
    if (added.join() !== "true,false,true") return `suspect: true, false, true is required, got ${added.join(", ")}`;
    const seen = await Promise.all([one.suspects(), two.suspects(), other.suspects()]);
    const tools = seen.map((list) => list.map(({ tool }) => tool).join("+"));
    return differs(
      "suspects: for two processes and another tenant",
      "fetch+fetch, fetch+fetch, ",
      Promise.resolve(tools.join(", ")),
    );
  },
  async ({ one, two }) => {
    for (const process of ["a", "b"]) await one.count(report(1, calls(3), process));
    await one.suspect({ name: name(1), tool: "fetch" });
    await two.clear(name(1));
    const { length } = await one.suspects();
    return length > 0 ? "clear: the call must go from the list" : differs("clear: counts", "0/0", countOf(one, 1));
  },
  async ({ one, two }) => {
    for (let at = 0; at < 3 * MAX_SUSPECTS; at++) await one.suspect({ name: name(at), tool: "fetch" });
    const { length } = await two.suspects();
    return length !== MAX_SUSPECTS && `suspects: at most ${MAX_SUSPECTS} are required, got ${length}`;
  },
];

function passed(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
