import type { FleetStore, OpenFleetStore } from "doomloop/fleet";
import { assertFleetStore } from "doomloop/testing";
import { describe, expect, it } from "vitest";
import { createMemoryStore } from "../fleet/memory/memory-store.ts";

/** The store in memory, with one method that does something else. */
function broken(change: (store: FleetStore) => Partial<FleetStore>): OpenFleetStore {
  const { open } = createMemoryStore();
  return (space) => {
    const store = open(space);
    return { ...store, ...change(store) };
  };
}

describe("the contract of a store", () => {
  it.concurrent("is kept by the store in memory", async () => {
    await assertFleetStore(createMemoryStore().open);
  });

  it.concurrent.each<[string, (store: FleetStore) => Partial<FleetStore>]>([
    [
      "count: 0/0, 3/1",
      (store) => {
        let sent = 0;
        return {
          count: (report) => store.count({ ...report, calls: report.calls.map((call) => `${call} ${sent++}`) }),
        };
      },
    ],
    ["forget: it must say", () => ({ forget: async () => ({ calls: 0, workers: 0 }) })],
    [
      "announce: false,true,true",
      (store) => ({ announce: async (told) => (await store.announce(told)).map(() => true) }),
    ],
    ["beat: what was announced", (store) => ({ announce: async (told) => told.map(() => false && store) })],
    [
      "permit: places 1,2,3",
      (store) => ({ permit: async (asked) => ({ ...(await store.permit(asked)), places: [1, 1] }) }),
    ],
    [
      "beat: the first agreement",
      (store) => ({ beat: async (asked) => ({ ...(await store.beat(asked)), agreed: "x" }) }),
    ],
    ["it rejects: away", () => ({ beat: () => Promise.reject(new Error("away")) })],
  ])("is broken by a store with %s", async (words, change) => {
    await expect(assertFleetStore(broken(change))).rejects.toThrow(words);
  });
});
