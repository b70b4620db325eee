import fc from "fast-check";
import { expect, it } from "vitest";
import { propertyRuns } from "../../../../test/property-runs.ts";
import type { FoundFile } from "./find-transcripts.ts";
import { createFileQueue } from "./scan-threads.ts";

function file(path: string, size: number, modifiedMs: number): FoundFile {
  return { path, size, modifiedMs };
}

function orderOf(files: readonly FoundFile[], threads: number): string[] {
  const queue = createFileQueue(files, threads);
  const order: string[] = [];
  for (let next = queue.take(); next !== undefined; next = queue.take()) order.push(next.path);
  return order;
}

it("returns the newest file first", () => {
  const files = [file("b", 10, 2), file("a", 10, 1), file("d", 10, 4), file("c", 10, 3), file("e", 10, 4)];

  expect(orderOf(files, 2)).toEqual(["d", "e", "c", "b", "a"]);
});

it("starts with a file that would keep one thread busy for as long as the others need for the rest", () => {
  const files = [file("new", 10, 9), file("newer", 10, 10), file("giant", 100, 1), file("old", 10, 2)];

  expect(orderOf(files, 2)).toEqual(["giant", "newer", "new", "old"]);
});

it("counts a compressed file as larger than its size", () => {
  const files = [file("new", 10, 9), file("newer", 10, 10), file("giant.jsonl.gz", 10, 1)];

  expect(orderOf(files, 2)[0]).toBe("giant.jsonl.gz");
});

it("returns every file once, and takes at most twice as long as a perfect split", () => {
  const sizes = fc.array(fc.tuple(fc.integer({ min: 1, max: 1000 }), fc.nat(50)), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(sizes, fc.integer({ min: 1, max: 4 }), (chosen, threads) => {
      const files = chosen.map(([size, modifiedMs], at) => file(`f${at}`, size, modifiedMs));
      const queue = createFileQueue(files, threads);
      const busy = Array.from({ length: threads }, () => 0);
      const seen = new Set<string>();
      for (let next = queue.take(); next !== undefined; next = queue.take()) {
        seen.add(next.path);
        busy[busy.indexOf(Math.min(...busy))]! += next.size;
      }
      const total = files.reduce((sum, { size }) => sum + size, 0);
      const perfect = Math.max(total / threads, ...files.map(({ size }) => size));

      expect(seen.size).toBe(files.length);
      expect(Math.max(...busy)).toBeLessThanOrEqual(2 * perfect);
    }),
    { numRuns: propertyRuns() },
  );
});
