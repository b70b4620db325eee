import { createStoreFleet, type FleetStore, storeRefusal } from "doomloop/fleet";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { fingerprint, report, tell } from "../../../../../test/contracts/fleet.ts";
import { createMemoryStore } from "../memory/memory-store.ts";
import type { StoreAnswer } from "../store.ts";

const MINUTE_MS = 60_000;
/** A heartbeat every five seconds, or four, and what a dead end asks for besides. */
const MOST_A_MINUTE = 20;

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

type Answer = Partial<StoreAnswer> | Error;

/** A process that meets a dead end of the fleet, and then hears this at each heartbeat. */
async function processThatHears(answer: (of: StoreAnswer) => Answer, forget?: FleetStore["forget"]) {
  const { open } = createMemoryStore(() => performance.now());
  const space = { tenant: "default", windowMs: 300_000 };
  const join = (witness: string, store: FleetStore) => {
    const fleet = createStoreFleet({ key: "a key of sixteen bytes", witness, store: () => store });
    return { fleet, member: fleet.join({ worker: "worker" }) };
  };
  for (const at of [0, 1]) {
    const { fleet, member } = join(`process ${at}`, open(space));
    for (let call = 0; call < 6; call++) tell(member, report(call));
    await fleet.flush();
    await fleet.close();
  }
  let isHeard = false;
  const store = open(space);
  const beat: FleetStore["beat"] = async (question) => {
    const whole = await store.beat({ ...question, cursor: undefined });
    if (!isHeard) return whole;
    const heard = answer(whole);
    if (heard instanceof Error) throw heard;
    return heard as StoreAnswer;
  };
  const { fleet, member } = join("late", { ...store, ...(forget && { forget }), beat });
  tell(member, report(7));
  await vi.advanceTimersByTimeAsync(1000);
  isHeard = true;
  // One more run that waits for the store: it asks whether it may be stopped.
  member.mayStop?.();
  if (forget) tell(member, report(8, { isBarren: false }));
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  const before = fleet.stats().exchanges;
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  const exchanges = fleet.stats().exchanges - before;
  const knows = member.verdict(fingerprint(0)) !== undefined;
  await fleet.close();
  return { exchanges, knows };
}

const unread = { news: [], isComplete: false, isMore: false };

describe("a process that knows of a dead end", () => {
  it.each<[string, (of: StoreAnswer) => Answer]>([
    ["the fleet is off", (of) => ({ ...of, ...unread, switch: "off" })],
    ["the store refuses to tell the news", (of) => ({ ...of, ...unread, refusal: storeRefusal("NOPERM") })],
    ["the store refuses everything", () => storeRefusal("OOM")],
    ["the store does not answer", () => new Error("connection lost")],
    ["the store answers something else", () => ({})],
    ["the news has no news in it", () => ({ news: 7 as never })],
  ])("asks no more often than at each heartbeat if %s", async (_state, answer) => {
    const { exchanges, knows } = await processThatHears(answer);

    expect(exchanges).toBeGreaterThan(0);
    expect(exchanges).toBeLessThanOrEqual(MOST_A_MINUTE);
    expect(knows).toBe(false);
  });

  it("sends a success again and again, with a pause, if the store does not take it", async () => {
    const { exchanges } = await processThatHears(
      (of) => of,
      () => Promise.reject(storeRefusal("READONLY")),
    );

    expect(exchanges).toBeGreaterThan(MOST_A_MINUTE);
    expect(exchanges).toBeLessThanOrEqual(2 * MOST_A_MINUTE);
  });

  it("asks when the time to object is over, and no more often afterwards", async () => {
    const { exchanges, knows } = await processThatHears((of) => of);

    expect(exchanges).toBeLessThanOrEqual(MOST_A_MINUTE);
    expect(knows).toBe(true);
  });

  it("pauses between two questions though new dead ends come in all the time", async () => {
    let at = 0;
    const flood = (of: StoreAnswer): Answer => ({
      ...of,
      news: Array.from({ length: 64 }, () => ({ ...of.news[0]!, name: `name ${at++}`, ageMs: 6250 * Math.random() })),
    });
    const { exchanges } = await processThatHears(flood);

    expect(exchanges).toBeLessThanOrEqual(MINUTE_MS / 250);
  });
});
