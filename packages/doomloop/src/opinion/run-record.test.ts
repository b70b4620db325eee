import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { step } from "../../../../test/builders.ts";
import { createRunRecord } from "./run-record.ts";

/** The bytes that records of calls with eight long arguments and a long result take, each. */
function bytesOf(records: number): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const long = (at: number) => `${at} ${"some words of a long text ".repeat(200)}`;
  const args = (at: number) => Object.fromEntries(Array.from({ length: 8 }, (_, field) => [`${field}`, long(at)]));
  collect();
  const before = process.memoryUsage().heapUsed;
  const all = Array.from({ length: records }, () => {
    const record = createRunRecord();
    for (let at = 0; at < 60; at++) for (const event of step("write", args(at), long(at))) record.take(event);
    return record;
  });
  collect();
  return (process.memoryUsage().heapUsed - before) / all.length;
}

it("takes no more memory than the service counts for it, whatever it is about", () => {
  expect(bytesOf(40)).toBeLessThan(7 * 131_072);
});

it("keeps short pieces of long texts without the texts", () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const record = createRunRecord();
  const long = (at: number) => `${at} ${"some words of a long text ".repeat(40_000)}`;
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let at = 0; at < 60; at++)
    for (const event of step("write", { path: `${at}.ts`, content: long(at) }, long(at + 100))) record.take(event);
  collect();

  expect(record.view().steps).toHaveLength(60);
  // Sixty times two texts of a megabyte would be 120 MB.
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(10_000_000);
});
