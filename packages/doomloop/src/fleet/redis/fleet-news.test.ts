import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { fleetKeys } from "./fleet-keys.ts";
import { PAGE, readNewsPage, tellNews } from "./fleet-news.ts";

const windowMs = 300_000;
const name = "abcdefghijklmnopqrstuv";
const suspect = { name, tool: "fetch", calls: 10, workers: 2, lastsMs: 200_000 };
const time = ["1700000000", "500000"];
const nowMs = 1_700_000_000_500;

const page = (entries: unknown, at: unknown = time, isNew = false) => readNewsPage([entries, at], windowMs, isNew);
/** An entry as the store holds it, with this age. */
const entry = (text: string, ageMs = 0): unknown => [`${nowMs - ageMs}-0`, ["s", text]];
const entryOf = (values: unknown, ageMs = 0): unknown => entry(JSON.stringify(values), ageMs);

describe("the news", () => {
  it("is read as it was written, less the time that has passed since", () => {
    const [add] = tellNews(fleetKeys("acme"), suspect, windowMs);

    expect(page([entry(add!.at(-1)!, 1000)])).toEqual({
      suspects: [{ ...suspect, lastsMs: 199_000 }],
      last: `${nowMs - 1000}-0`,
      isFull: false,
    });
  });

  it("is read from bytes as well as from text", () => {
    const [id, fields] = entryOf(Object.values(suspect)) as [string, string[]];
    const bytes = [[Buffer.from(id), fields.map((field) => Buffer.from(field))]];

    expect(page(bytes, time.map(Buffer.from))).toEqual(page([[id, fields]]));
  });

  it("holds for a window at most, whatever an entry says, also if the clock is behind", () => {
    const long = [name, "fetch", 10, 2, 9e15];

    expect(page([entryOf(long)]).suspects).toMatchObject([{ lastsMs: windowMs }]);
    // An entry from the future: the clock was set back. Only a caller that has read all earlier entries knows that it is new.
    expect(page([entryOf(long, -60_000)]).suspects).toEqual([]);
    expect(page([entryOf(long, -60_000)], time, true).suspects).toMatchObject([{ lastsMs: windowMs }]);
    expect(page([entryOf(long, windowMs)]).suspects).toMatchObject([{ lastsMs: 0 }]);
  });

  it("counts no further than the store does", () => {
    expect(page([entryOf([name, "fetch", 9e15, 9e15, 1])]).suspects).toMatchObject([{ calls: 100, workers: 100 }]);
  });

  it("cuts a tool's name", () => {
    expect(page([entryOf([name, "x".repeat(300), 1, 2, 3])]).suspects[0]?.tool).toHaveLength(80);
  });

  it.each([
    ["no text", [`${nowMs}-0`, []]],
    ["no fields", [`${nowMs}-0`, null]],
    ["no entry", "garbage"],
    ["no JSON", entry("{")],
    ["no list", entryOf({ name })],
    ["null", entryOf(null)],
    ["a short name", entryOf(["short", "fetch", 1, 2, 3])],
    ["an invalid name", entryOf(["dl2:{acme}:switch-----", "fetch", 1, 2, 3])],
    ["no tool", entryOf([name, 7, 1, 2, 3])],
    ["too few numbers", entryOf([name, "fetch", 1, 2])],
    ["negative calls", entryOf([name, "fetch", -1, 2, 3])],
    ["a part of a call", entryOf([name, "fetch", 1.5, 2, 3])],
    ["a very long text", entryOf([name, "x".repeat(1000), 1, 2, 3])],
    ["an id that is no time", ["x-0", ["s", JSON.stringify(Object.values(suspect))]]],
  ])("skips %s", (_, garbage) => {
    expect(page([garbage, entryOf(Object.values(suspect))]).suspects).toEqual([suspect]);
  });

  it("is empty, and nothing is thrown, for anything that is not a page", () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (entries, at) => {
        for (const { calls, workers, lastsMs } of page(entries, at).suspects) {
          expect(calls).toBeGreaterThanOrEqual(0);
          expect(workers).toBeGreaterThanOrEqual(0);
          expect(lastsMs).toBeLessThanOrEqual(windowMs);
        }
      }),
      { numRuns: propertyRuns() },
    );
  });

  it("may have more entries after a full page", () => {
    const entries = Array.from({ length: PAGE }, () => entryOf(Object.values(suspect)));

    expect([page(entries).isFull, page(entries.slice(1)).isFull, page([]).last]).toEqual([true, false, undefined]);
  });
});
