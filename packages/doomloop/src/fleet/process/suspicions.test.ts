import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { MAX_COUNTED } from "../store.ts";
import { createSuspicions } from "./suspicions.ts";

function suspicionsAt() {
  const clock = { at: 0, lost: 0, share: 1_000_000, spreadMs: 0 };
  const suspicions = createSuspicions({
    now: () => clock.at,
    nameOf: (fingerprint) => fingerprint,
    onLost: (reports) => {
      clock.lost += reports;
    },
    share: () => clock.share,
    spreadMs: () => clock.spreadMs,
  });
  const isWaiting = (): boolean => suspicions.untilDueMs() === 0;
  return { clock, suspicions, isWaiting };
}

describe("the queue of suspicions", () => {
  it("gathers the calls of a fingerprint, each once, until they are taken", () => {
    const { suspicions, isWaiting } = suspicionsAt();
    for (const call of ["a", "b", "a"]) suspicions.barren("name", `tool ${call}`, call);
    expect([isWaiting(), suspicions.reports()]).toEqual([true, 3]);

    expect(suspicions.take()).toMatchObject([{ name: "name", tool: "tool a", isCleared: false, reports: 3 }]);
    expect([isWaiting(), suspicions.reports(), suspicions.take()]).toEqual([false, 0, []]);
  });

  it("forgets the calls before a success, and keeps those after it", () => {
    const { suspicions, clock } = suspicionsAt();
    suspicions.barren("name", "tool", "before");
    suspicions.succeeded("name");
    suspicions.barren("name", "tool", "after");

    const [taken] = suspicions.take();
    expect([taken?.isCleared, [...(taken?.calls ?? [])]]).toEqual([true, ["after"]]);
    // These are not lost: the fleet was right not to count them.
    expect(clock.lost).toBe(0);
    expect(taken?.reports).toBe(2);
  });

  it("sends a success again, before later calls, if it did not arrive or waited too long", () => {
    const { suspicions, clock } = suspicionsAt();
    suspicions.succeeded("name");
    suspicions.take();
    suspicions.barren("name", "tool", "after");
    suspicions.clearFirst("name");
    expect(suspicions.take()).toMatchObject([{ isCleared: true, calls: new Set(["after"]) }]);

    suspicions.succeeded("name");
    suspicions.barren("name", "tool", "too old");
    clock.at = 60_000;
    expect(suspicions.take()).toMatchObject([{ isCleared: true, calls: new Set() }]);
  });

  it("remembers which fingerprints were reported, until one succeeds", () => {
    const { suspicions } = suspicionsAt();
    suspicions.barren("name", "tool", "a");
    suspicions.take();
    expect(suspicions.hasTold("name")).toBe(true);

    suspicions.succeeded("name");
    expect(suspicions.hasTold("name")).toBe(false);
  });

  it("keeps as many calls as the store counts, and knows how many there were", () => {
    const { suspicions } = suspicionsAt();
    for (let call = 0; call < 1000; call++) suspicions.barren("name", "tool", String(call));

    const [taken] = suspicions.take();
    expect([taken?.calls.size, taken?.reports]).toEqual([MAX_COUNTED, 1000]);
  });

  it("hands out sixteen fingerprints at a time, the oldest first", () => {
    const { suspicions } = suspicionsAt();
    for (let at = 0; at < 20; at++) suspicions.barren(String(at), "tool", "call");
    suspicions.barren("0", "tool", "another");

    expect(suspicions.take().map(({ name }) => Number(name))).toEqual([...Array(16).keys()]);
    expect(suspicions.take()).toHaveLength(4);
  });

  it("loses reports that wait for more than half a minute", () => {
    const { suspicions, clock } = suspicionsAt();
    suspicions.barren("old", "tool", "a");
    clock.at = 30_000;
    suspicions.barren("new", "tool", "a");
    expect(clock.lost).toBe(0);

    clock.at = 30_001;
    expect(suspicions.take()).toMatchObject([{ name: "new" }]);
    expect(clock.lost).toBe(1);
  });

  it("hands out its share of a minute, and the rest with the next one", () => {
    const { suspicions, clock } = suspicionsAt();
    clock.share = 3;
    for (let at = 0; at < 5; at++) suspicions.barren(String(at), "tool", "a");
    expect([suspicions.take().length, suspicions.take().length]).toEqual([3, 0]);
    expect([suspicions.isHeld(), suspicions.untilDueMs(), suspicions.reports()]).toEqual([true, 60_000, 2]);

    clock.at = 20_000;
    expect([suspicions.take(true).length, suspicions.untilDueMs()]).toEqual([0, 40_000]);
    clock.share = 6;
    expect([suspicions.isHeld(), suspicions.take().length, suspicions.isHeld()]).toEqual([false, 2, false]);
    suspicions.barren("later", "tool", "a");
    suspicions.take();
    clock.at = 40_000;
    suspicions.barren("even later", "tool", "a");
    expect(suspicions.isHeld()).toBe(true);
    clock.at = 60_000;
    expect(suspicions.take()).toHaveLength(1);
  });

  it("puts off the first report about a thing in a large fleet, and no later one", () => {
    const { suspicions, clock, isWaiting } = suspicionsAt();
    clock.spreadMs = 5000;
    suspicions.barren("name", "tool", "a");
    const dueMs = suspicions.untilDueMs();
    expect(dueMs).toBeGreaterThan(0);
    expect(dueMs).toBeLessThanOrEqual(5000);
    expect(suspicions.take()).toEqual([]);

    clock.at = 5000;
    expect(suspicions.take()).toHaveLength(1);
    suspicions.barren("name", "tool", "b");
    expect(isWaiting()).toBe(true);
    suspicions.barren("other", "tool", "b");
    expect(suspicions.take(true)).toHaveLength(2);
  });

  it("gives up what the fleet knows well enough, but not a success", () => {
    const { suspicions, clock } = suspicionsAt();
    for (const call of ["a", "b"]) suspicions.barren("known", "tool", call);
    suspicions.succeeded("worked");

    expect([suspicions.spare("known"), suspicions.spare("worked"), suspicions.spare("unknown")]).toEqual([2, 0, 0]);
    expect([suspicions.take().map(({ name }) => name), clock.lost]).toEqual([["worked"], 0]);
  });

  it("loses all waiting reports when it is dropped", () => {
    const { suspicions, clock, isWaiting } = suspicionsAt();
    for (const call of ["a", "b"]) suspicions.barren("name", "tool", call);
    suspicions.drop();

    expect([clock.lost, suspicions.reports(), isWaiting()]).toEqual([2, 0, false]);
  });

  it("accounts for every report as waiting, taken or lost, and never holds more than a thousand fingerprints", () => {
    const event = fc.record({
      what: fc.constantFrom("barren", "barren", "barren", "cleared", "take", "clear"),
      name: fc.nat(1500),
      waitMs: fc.constantFrom(0, 0, 0, 4000, 40_000),
    });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), fc.nat(1500), (events, before) => {
        const { suspicions, clock } = suspicionsAt();
        let reported = 0;
        let taken = 0;
        const barren = (name: number): void => {
          suspicions.barren(String(name), "tool", String(reported++));
        };
        for (let name = 0; name < before; name++) barren(name);
        for (const { what, name, waitMs } of events) {
          clock.at += waitMs;
          if (what === "barren") barren(name);
          if (what === "cleared") suspicions.succeeded(String(name));
          if (what === "take") for (const { reports } of suspicions.take()) taken += reports;
          if (what === "clear") suspicions.drop();
          expect(taken + clock.lost + suspicions.reports()).toBe(reported);
          expect(suspicions.reports()).toBeLessThanOrEqual(1000 + reported - before);
        }
      }),
      { numRuns: Math.ceil(propertyRuns() / 10) },
    );
  });
});
