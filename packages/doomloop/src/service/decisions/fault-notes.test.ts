import { setImmediate as nextRound } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createFaultNotes } from "./fault-notes.ts";

function noted() {
  const notes: string[] = [];
  let time = 0;
  const faults = createFaultNotes(
    () => time,
    ({ event, message }) => void notes.push(`${event}: ${message}`),
  );
  const pass = (ms: number): void => {
    time += ms;
  };
  return { faults, notes, pass };
}

describe("faults of the service", () => {
  it("are noted once for each kind, then at most once a minute with their number", () => {
    const { faults, notes, pass } = noted();
    for (let times = 0; times < 1500; times++) faults.fault(new Error(`no answer within ${times} ms`));
    faults.fault(new Error("something else"));
    pass(60_000);
    faults.fault(new Error("no answer within 7 ms"));
    faults.fault(new Error("no answer within 8 ms"));

    expect(notes).toEqual([
      "fault: no answer within 0 ms",
      "fault: something else",
      "fault: no answer within 7 ms (1500 times since the last line)",
    ]);
  });

  it("say that they are the store's, and once that it answers again", async () => {
    const { faults, notes, pass } = noted();
    let isUp = false;
    const ask = async () => {
      if (!isUp) throw new Error("Reached the max retries per request limit (which is 20).");
      return undefined;
    };
    const store = faults.watchStore({ load: ask, save: ask, forget: ask });
    for (let times = 0; times < 3; times++) await store.load("a").catch(faults.fault);
    expect(faults.isStoreAway()).toBe(true);
    isUp = true;
    await store.save("a", "", 1);
    await store.forget("a");
    expect(faults.isStoreAway()).toBe(false);
    isUp = false;
    await store.load("a").catch(faults.fault);
    isUp = true;
    await store.load("a");
    isUp = false;
    pass(60_000);
    await store.load("a").catch(faults.fault);

    const line = "fault: the store: Reached the max retries per request limit (which is 20).";
    expect(notes).toEqual([line, "store-back: the store answers again", `${line} (4 times since the last line)`]);
  });

  it("notice that the store is back though there is nothing to save, by one trial at a time", async () => {
    const { faults, notes } = noted();
    let fault: Error | undefined = new Error("OOM command not allowed");
    let release = (): void => {};
    const saved: string[] = [];
    const save = async (run: string) => {
      saved.push(run);
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      if (fault !== undefined) throw fault;
      return undefined;
    };
    const store = faults.watchStore({ load: async () => undefined, save, forget: async () => {} });
    const first = store.save("a", "text", 1).catch(faults.fault);
    release();
    await first;
    const isAway = async (): Promise<boolean> => {
      faults.isStoreAway();
      release();
      await nextRound();
      return faults.isStoreAway();
    };
    expect(await isAway()).toBe(true);
    fault = undefined;
    for (let times = 0; times < 5; times++) expect(faults.isStoreAway()).toBe(true);
    expect(await isAway()).toBe(false);

    expect(saved).toEqual(["a", "", ""]);
    expect(notes.at(-1)).toBe("store-back: the store answers again");
  });
});
