import { describe, expect, it } from "vitest";
import { createNoteLimit } from "./fault-notes.ts";
import { watchStore } from "./run-store.ts";

function noted() {
  const notes: string[] = [];
  const clock = { now: 0 };
  const note = createNoteLimit<{ event: string; message?: string }>(
    () => clock.now,
    ({ event, message }) => void notes.push(`${event}: ${message}`),
  );
  return { notes, clock, note, fault: (message: string) => note({ event: "fault", message }) };
}

describe("notes", () => {
  it("are passed on once for each kind, then at most once a minute with their number", () => {
    const { notes, clock, note, fault } = noted();
    for (let times = 0; times < 1500; times++) fault(`no answer within ${times} ms`);
    fault("something else");
    for (let times = 0; times < 3; times++) note({ event: "refused" });
    clock.now += 60_000;
    fault("no answer within 7 ms");
    fault("no answer within 8 ms");

    expect(notes).toEqual([
      "fault: no answer within 0 ms",
      "fault: something else",
      "refused: undefined",
      "fault: no answer within 7 ms (1500 times since the last line)",
    ]);
  });
});

describe("a store that is watched", () => {
  it("fails in time, says that it was the store, and once that it answers again", async () => {
    const { notes, note, fault } = noted();
    let answer = (): Promise<string | undefined> => Promise.reject(new Error("gone"));
    const ask = () => answer();
    const store = watchStore(
      { load: ask, save: ask, forget: ask },
      ({ message }) => fault(message),
      () => note({ event: "store-back", message: "it answers" }),
    );
    for (let times = 0; times < 3; times++) expect(await store.load("a")).toBeUndefined();
    expect(store.isAway()).toBe(true);
    answer = () => new Promise(() => {});
    await store.save("a", "", 1);
    answer = async () => "text";
    for (let times = 0; times < 3; times++) expect(await store.load("a")).toBe("text");

    expect(store.isAway()).toBe(false);
    expect(notes).toEqual([
      "fault: the store: gone",
      "fault: the store: it did not answer within 200 ms",
      "store-back: it answers",
    ]);
  });
});
