import type { FleetStore, OpenFleetStore } from "doomloop/fleet";
import { assertFleetStore } from "doomloop/testing";
import { describe, expect, it } from "vitest";
import { createMemoryStore } from "../../../../test/contracts/fleet-memory-store.ts";

/** The store in memory, with one method that does something else. */
function broken(change: (store: FleetStore) => Partial<FleetStore>): OpenFleetStore {
  const open = createMemoryStore();
  return (space) => ({ ...open(space), ...change(open(space)) });
}

describe("the contract of a store", () => {
  it.concurrent("is kept by the store in memory", async () => {
    await assertFleetStore(createMemoryStore());
  });

  let sent = 0;
  it.concurrent.each<[string, (store: FleetStore) => Partial<FleetStore>]>([
    [
      "count: calls/processes",
      (store) => ({
        count: (report) => store.count({ ...report, calls: report.calls.map((call) => `${call} ${sent++}`) }),
      }),
    ],
    ["clear: the call must go", () => ({ clear: async () => {} })],
    ["suspect: true, false, true", (store) => ({ suspect: (each) => store.suspect(each).then(() => true) })],
    ["suspects: for two", () => ({ suspects: async () => [] })],
    ["count: lastsMs", (store) => ({ count: async (report) => ({ ...(await store.count(report)), lastsMs: 0 }) })],
    ["it rejects: away", () => ({ suspects: () => Promise.reject(new Error("away")) })],
  ])("is broken by a store with %s", async (words, change) => {
    await expect(assertFleetStore(broken(change))).rejects.toThrow(words);
  });
});
