import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { newsLine, readNewsPage } from "./news-log.ts";

const windowMs = 300_000;
const name = "abcdefghijklmnopqrstuv";
const suspect = { name, tool: "fetch", calls: 10, workers: 2, lastsMs: 200_000 };
const nowMs = 1_700_000_000_500;

const page = (text: string | Uint8Array) => readNewsPage(Buffer.from(text), nowMs, windowMs);
/** A line as a process appends it, with this age. */
const lineOf = (values: readonly unknown[], ageMs = 0): string => `${JSON.stringify([nowMs - ageMs, ...values])}\n`;
const line = newsLine(suspect, nowMs);

describe("the news", () => {
  it("is read as it was written, less the time that has passed since", () => {
    const written = newsLine(suspect, nowMs - 1000);

    expect(page(written)).toEqual({
      news: [{ ...suspect, lastsMs: 199_000, ageMs: 1000 }],
      used: written.length,
    });
  });

  it("holds for a window at most, whatever a line says, also if the clock is behind", () => {
    const long = [name, "fetch", 10, 2, 9e15];

    expect(page(lineOf(long)).news).toMatchObject([{ lastsMs: windowMs }]);
    expect(page(lineOf(long, -1000)).news).toMatchObject([{ lastsMs: windowMs, ageMs: 0 }]);
    expect(page(lineOf(long, windowMs)).news).toMatchObject([{ lastsMs: 0 }]);
    // Nobody writes the news of tomorrow.
    expect(page(lineOf(long, -86_400_000)).news).toEqual([]);
  });

  it("counts no further than the store does, and cuts a tool's name", () => {
    expect(page(lineOf([name, "x".repeat(300), 9e15, 9e15, 1])).news).toMatchObject([
      { calls: 100, workers: 100, tool: "x".repeat(80) },
    ]);
  });

  it.each([
    ["no JSON", "{"],
    ["no list", JSON.stringify({ name })],
    ["null", "null"],
    ["a deep list", "[".repeat(400)],
    ["a short name", lineOf(["short", "fetch", 1, 2, 3])],
    ["an invalid name", lineOf(["dl:{acme}:switch------", "fetch", 1, 2, 3])],
    ["no tool", lineOf([name, 7, 1, 2, 3])],
    ["too few numbers", lineOf([name, "fetch", 1, 2])],
    ["negative calls", lineOf([name, "fetch", -1, 2, 3])],
    ["a part of a call", lineOf([name, "fetch", 1.5, 2, 3])],
    ["a very long line", lineOf([name, "x".repeat(10_000), 1, 2, 3])],
    ["no time", JSON.stringify(["now", ...Object.values(suspect)])],
    ["bytes that are no text", "\u0000\ufffd\r\n*3\r\n"],
    ["the beginning of a line", '["abc'],
  ])("skips %s, and reads the line after it", (_, garbage) => {
    expect(page(`${garbage}${line}`).news).toMatchObject([suspect]);
    expect(page(`${line}${garbage}\n`).news).toMatchObject([suspect]);
  });

  it("leaves the beginning of a line for later, unless it is too long to be one", () => {
    expect(page(`${line}["abc`).used).toBe(line.length);
    expect(page(`${line}${"x".repeat(600)}`).used).toBe(line.length + 600);
    expect(page("x".repeat(5000)).used).toBe(5000);
  });

  it("is empty, and nothing is thrown, for any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), (bytes) => {
        const { news, used } = page(bytes);
        expect(used).toBeLessThanOrEqual(bytes.length);
        for (const { calls, lastsMs } of news) {
          expect(calls).toBeLessThanOrEqual(100);
          expect(lastsMs).toBeLessThanOrEqual(windowMs);
        }
      }),
      { numRuns: propertyRuns() },
    );
  });
});
