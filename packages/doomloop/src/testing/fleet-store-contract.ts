import type { Announcement, FleetStore, OpenFleetStore, StoreNews } from "../fleet/store.ts";

/** A part of the contract: resolves to what is broken, as a sentence, or to nothing. */
type Promised = (stores: Stores) => Promise<string | false | undefined>;

/** Stores of one tenant, each as in a process of its own, and one of another tenant. */
interface Stores {
  readonly one: FleetStore;
  readonly two: FleetStore;
  readonly other: FleetStore;
  readonly windowMs: number;
}

const WINDOW_MS = 60_000;
/** Long enough for a slow store, and short enough to wait for. */
const SHORT_WINDOW_MS = 1_500;
const MAX_COUNTED = 100;
const MANY = 300;
const MAX_PAGES = 100;

/**
 * Rejects unless a store keeps the contract of {@link OpenFleetStore}: counts are sets and end with their window, what is announced is heard
 * by all processes, an agreement stays what it was first, and permits are scarce. Takes a few seconds, and leaves behind keys of tenants
 * whose names begin with `contract-`.
 */
export async function assertFleetStore(open: OpenFleetStore): Promise<void> {
  const broken: string[] = [];
  for (const [windowMs, promises] of [
    [WINDOW_MS, LASTING],
    [SHORT_WINDOW_MS, ENDING],
  ] as const) {
    const results = promises.map(async (promise, at) => {
      const tenant = `contract-${windowMs}-${at}-${Math.random().toString(36).slice(2, 10)}`;
      const [one, two] = [open({ tenant, windowMs }), open({ tenant, windowMs })];
      const other = open({ tenant: `${tenant}-other`, windowMs });
      try {
        return await promise({ one, two, other, windowMs });
      } catch (fault) {
        return `it rejects: ${fault instanceof Error ? fault.message : String(fault)}`;
      }
    });
    for (const result of await Promise.all(results)) if (typeof result === "string") broken.push(result);
  }
  if (broken.length > 0) throw new Error(`assertFleetStore: ${broken.join("; ")}`);
}

const name = (number: number): string => `name-${number}-`.padEnd(22, "x");
const calls = (count: number, first = 0): string[] => Array.from({ length: count }, (_, at) => `call ${first + at}`);

function suspect(number: number, more: Partial<Announcement> = {}): Announcement {
  return { name: name(number), tool: "fetch", calls: 10, workers: 2, lastsMs: 30_000, isConfirmed: false, ...more };
}

/** Reads all news after a cursor. */
async function readAll(store: FleetStore, from?: unknown) {
  const news: StoreNews[] = [];
  let cursor = from;
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = await store.beat({ cursor, agreement: undefined });
    news.push(...answer.news);
    cursor = answer.cursor;
    if (!answer.isMore) return { news, cursor, isComplete: answer.isComplete };
  }
  return { news, cursor, isComplete: false };
}

const LASTING: readonly Promised[] = [
  async ({ one, two }) => {
    const first = await one.count({ name: name(1), calls: calls(3), witness: "a" });
    const again = await one.count({ name: name(1), calls: calls(3), witness: "a" });
    const other = await two.count({ name: name(1), calls: calls(2, 3), witness: "b" });
    const seen = [first.before, first.after, again.after, other.before, other.after];
    const wanted = ["0/0", "3/1", "3/1", "3/1", "5/2"];
    const got = seen.map(({ calls: made, workers }) => `${made}/${workers}`);
    return (
      got.join() !== wanted.join() && `count: ${wanted.join(", ")} calls/processes are required, got ${got.join(", ")}`
    );
  },
  async ({ one, windowMs }) => {
    const { lastsMs } = await one.count({ name: name(1), calls: calls(1), witness: "a" });
    return (
      !(lastsMs > 0 && lastsMs <= windowMs) &&
      `count: lastsMs: more than 0 and at most a window is required, got ${lastsMs}`
    );
  },
  async ({ one }) => {
    let isHigh = false;
    let latest = 0;
    for (let made = 10; made <= 150; made += 10) {
      const { after } = await one.count({ name: name(1), calls: calls(10, made - 10), witness: "a" });
      isHigh ||= after.calls > Math.min(made, MAX_COUNTED);
      latest = after.calls;
    }
    return (
      (isHigh || latest < MAX_COUNTED) &&
      `count: up to ${MAX_COUNTED}, never too high, is required, got ${latest} of 150 calls`
    );
  },
  async ({ one, other }) => {
    await one.count({ name: name(1), calls: calls(3), witness: "a" });
    const [elsewhere, tenant] = await Promise.all([
      one.count({ name: name(2), calls: calls(1), witness: "a" }),
      other.count({ name: name(1), calls: calls(1), witness: "a" }),
    ]);
    return (elsewhere.before.calls > 0 || tenant.before.calls > 0) && "count: names and tenants must not share counts";
  },
  async ({ one, two }) => {
    await one.count({ name: name(1), calls: calls(3), witness: "a" });
    const before = await two.forget(name(1));
    const { before: after } = await one.count({ name: name(1), calls: calls(1), witness: "a" });
    return (
      (before.calls !== 3 || before.workers !== 1 || after.calls !== 0) &&
      "forget: it must say what was counted, and remove it"
    );
  },
  async ({ one, two }) => {
    await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        (at % 2 ? one : two).count({ name: name(1), calls: calls(2, 2 * at), witness: `${at}` }),
      ),
    );
    const { before } = await one.count({ name: name(1), calls: calls(1), witness: "0" });
    // A count may be one or two too low.
    return (
      (before.calls < 38 || before.calls > 40 || before.workers < 19 || before.workers > 20) &&
      `count: 40 calls by 20 processes at once are required, got ${before.calls} by ${before.workers}`
    );
  },
  async ({ one, two, other }) => {
    const { cursor } = await readAll(two);
    await one.announce([suspect(1, { tool: 'a "tool" \\ \u00e9' }), suspect(2)]);
    await one.announce([suspect(1, { calls: 0, workers: 0, lastsMs: 0 })]);
    const [heard, late, elsewhere] = [await readAll(two, cursor), await readAll(one), await readAll(other)];
    const order = (news: readonly StoreNews[]): string => news.map((each) => `${each.name[5]}:${each.calls}`).join();
    if (order(heard.news) !== "1:10,2:10,1:0")
      return `beat: what was announced, in order, is required, got ${order(heard.news)}`;
    if (heard.news[0]?.tool !== 'a "tool" \\ \u00e9') return "beat: the tool's name must stay as it is";
    if (!heard.isComplete || !late.isComplete) return "beat: isComplete must be true once all was read";
    if (late.news.findLast((each) => each.name === name(2))?.calls !== 10)
      return "beat: without a cursor, whatever still counts is required";
    return elsewhere.news.length > 0 && "beat: another tenant's news was delivered";
  },
  async ({ one, two }) => {
    await one.announce([suspect(1, { lastsMs: 9e15 })]);
    const [heard] = (await readAll(two)).news;
    return (
      !(heard !== undefined && heard.ageMs >= 0 && heard.ageMs < 30_000) &&
      `beat: ageMs is required, got ${heard?.ageMs}`
    );
  },
  async ({ one, two }) => {
    for (let at = 0; at < MANY; at += 20) await one.announce(Array.from({ length: 20 }, (_, of) => suspect(at + of)));
    const { news, isComplete } = await readAll(two);
    const names = new Set(news.map((each) => each.name));
    return (names.size !== MANY || !isComplete) && `beat: ${MANY} announcements are required, got ${names.size}`;
  },
  async ({ one, two }) => {
    const plain = await one.announce([suspect(1)]);
    const first = await two.announce([suspect(1, { isConfirmed: true }), suspect(2, { isConfirmed: true })]);
    const second = await one.announce([suspect(2, { isConfirmed: true }), suspect(3, { isConfirmed: true })]);
    const got = [...plain, ...first, ...second].join();
    const wanted = "false,true,true,false,true";
    return got !== wanted && `announce: ${wanted} is required, got ${got}`;
  },
  async ({ one, two, other }) => {
    const none = await one.beat({ cursor: undefined, agreement: undefined });
    await one.beat({ cursor: undefined, agreement: "calls=10" });
    await two.beat({ cursor: undefined, agreement: "calls=11" });
    const [agreed, elsewhere] = [
      await two.beat({ cursor: undefined, agreement: undefined }),
      await other.beat({ cursor: undefined, agreement: undefined }),
    ];
    const got = [none.agreed, agreed.agreed, elsewhere.agreed].join();
    return got !== ",calls=10," && `beat: the first agreement is required, and none before it, got ${got}`;
  },
  async ({ one, two }) => {
    const [first, second] = [
      await one.permit({ runs: ["a", "b"], places: 2 }),
      await two.permit({ runs: ["b", "c"], places: 1 }),
    ];
    const got = `${[...first.places, ...second.places].join()} of ${second.runs}`;
    return got !== "1,2,3 of 3" && `permit: places 1,2,3 of 3 are required, got ${got}`;
  },
  async ({ one }) => {
    const { switch: switched } = await one.beat({ cursor: undefined, agreement: undefined });
    return switched !== undefined && `beat: an unset switch must be undefined, got ${switched}`;
  },
];

const ENDING: readonly Promised[] = [
  async ({ one, two, windowMs }) => {
    await one.count({ name: name(1), calls: calls(3), witness: "a" });
    await passed(windowMs / 2);
    await two.count({ name: name(1), calls: calls(3, 3), witness: "b" });
    await passed(windowMs / 2 + 200);
    const { before } = await one.count({ name: name(1), calls: calls(1), witness: "a" });
    return (
      (before.calls > 0 || before.workers > 0) &&
      `count: nothing is required a window after the first call, got ${before.calls}`
    );
  },
  async ({ one, two, windowMs }) => {
    await one.announce([suspect(1, { isConfirmed: true })]);
    await one.permit({ runs: ["a"], places: 3 });
    await passed(windowMs + 200);
    const [isFirst] = await two.announce([suspect(1, { isConfirmed: true })]);
    const { places, runs } = await two.permit({ runs: [], places: 1 });
    return (
      (isFirst !== true || places[0] !== 1 || runs > 0) &&
      "announce, permit: both must start again with the next window"
    );
  },
];

function passed(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
