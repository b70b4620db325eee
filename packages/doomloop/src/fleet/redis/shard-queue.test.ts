import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { emptyCalls } from "./pending-calls.ts";
import { createShardQueue } from "./shard-queue.ts";

describe("the queue of a shard", () => {
  it("hands out in the order of arrival, and knows what waits", () => {
    // Beyond the number of places that are given back together.
    const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 900 }), fc.integer({ min: 0, max: 900 })), {
      maxLength: 12,
    });
    const property = fc.property(steps, (rounds) => {
      const queue = createShardQueue();
      const expected: string[] = [];
      let next = 0;
      for (const [arriving, leaving] of rounds) {
        for (let at = 0; at < arriving; at++) {
          const name = String(next++);
          queue.append(emptyCalls(name, "fetch", 0, 0));
          expected.push(name);
        }
        const gone = expected.splice(0, leaving);
        expect(Array.from(gone, () => queue.takeFirst()?.name)).toEqual(gone);
        expect(queue.size()).toBe(expected.length);
        expect([queue.get(gone.at(-1) ?? ""), queue.get(expected[0] ?? "")?.name]).toEqual([undefined, expected[0]]);
      }
    });
    fc.assert(property, { numRuns: 50 });
  });

  it("has nothing to hand out when it is empty", () => {
    const queue = createShardQueue();
    queue.append(emptyCalls("a", "fetch", 0, 0));
    queue.takeFirst();

    expect([queue.takeFirst(), queue.size()]).toEqual([undefined, 0]);
  });
});
