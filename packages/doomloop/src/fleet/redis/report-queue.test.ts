import { describe, expect, it } from "vitest";
import { createReportQueue, type NewReport } from "./report-queue.ts";

function queueOf(options: { shards?: number; maxReports?: number; maxCalls?: number } = {}) {
  const lost: number[] = [];
  const queue = createReportQueue({
    ...{ shards: 1, maxReports: 100, maxCalls: 10, ...options },
    onLost: (reports) => lost.push(reports),
  });
  let at = 0;
  const add = (call: string, more: Partial<NewReport> = {}): void => {
    at++;
    queue.add({
      shard: 0,
      name: "page",
      tool: "fetch",
      worker: "one",
      call,
      kind: "barren",
      at,
      waitsSince: at,
      ...more,
    });
  };
  return { queue, add, lost: () => lost.reduce((sum, each) => sum + each, 0) };
}

describe("a queue of reports", () => {
  it("keeps the calls of a fingerprint together, by worker", () => {
    const { queue, add } = queueOf();
    add("a");
    add("b", { worker: "two" });
    add("c", { name: "other" });
    add("d");

    const batch = queue.take(10, 0)!;
    expect(batch.calls.map(({ name, reports }) => [name, reports])).toEqual([
      ["page", 3],
      ["other", 1],
    ]);
    expect(batch.calls[0]!.workers).toEqual([
      { worker: "one", barren: ["a", "d"], other: [] },
      { worker: "two", barren: ["b"], other: [] },
    ]);
    expect([queue.fingerprints(), queue.reports(), queue.take(10, 0)]).toEqual([0, 0, undefined]);
  });

  it("settles calls with a success that comes after them, and counts those after it", () => {
    const { queue, add } = queueOf();
    add("a");
    add("yes", { kind: "success" });
    add("b");

    expect(queue.take(1, 0)!.calls[0]).toMatchObject({
      settled: ["a"],
      workers: [{ barren: ["b"] }],
      successAt: 2,
      since: 3,
      reports: 3,
    });
  });

  it("settles what comes back from a failed journey if a success has overtaken it", () => {
    const { queue, add } = queueOf();
    add("a");
    const travelling = queue.take(1, 0)!;
    add("yes", { kind: "success" });
    queue.take(1, 0);
    queue.putBack(travelling);

    expect(queue.take(1, 0)!.calls[0]).toMatchObject({ settled: ["a"], workers: [] });
  });

  it("puts back in front, and joins what has come meanwhile", () => {
    const { queue, add } = queueOf();
    add("a");
    const travelling = queue.take(1, 0)!;
    add("x", { name: "other" });
    add("b");
    queue.putBack(travelling);

    expect([queue.fingerprints(), queue.reports()]).toEqual([2, 3]);
    expect(queue.take(1, 0)!.calls[0]).toMatchObject({ name: "page", workers: [{ barren: ["a", "b"] }], since: 1 });
  });

  it("loses the oldest where there is no room, and says how many", () => {
    const { queue, add, lost } = queueOf({ maxReports: 3 });
    for (const name of ["a", "b", "c", "d", "e"]) add(name, { name });

    expect(queue.take(10, 0)!.calls.map(({ name }) => name)).toEqual(["c", "d", "e"]);
    expect(lost()).toBe(2);
  });

  it("accounts for every report when what comes back does not fit", () => {
    const { queue, add, lost } = queueOf({ maxCalls: 3, maxReports: 4 });
    for (const call of ["a", "b"]) add(call);
    const travelling = queue.take(1, 0)!;
    for (const call of ["c", "d", "e"]) add(call);
    add("x", { name: "other" });
    queue.putBack(travelling);

    expect(queue.reports() + lost()).toBe(6);
    expect(queue.reports()).toBeLessThanOrEqual(4);
  });

  it("gives up what has waited for too long", () => {
    const { queue, add, lost } = queueOf();
    add("a", { waitsSince: 10 });
    add("b", { name: "other", waitsSince: 20 });

    expect(queue.take(10, 15)!.calls.map(({ name }) => name)).toEqual(["other"]);
    expect(lost()).toBe(1);
  });

  it("takes fingerprints of one shard at a time, and each shard in its turn", () => {
    const { queue, add } = queueOf({ shards: 3 });
    for (const [at, name] of ["a", "b", "c", "d"].entries()) add(name, { name, shard: at % 3 });
    const taken = [1, 2, 3].map(() => queue.take(10, 0));

    expect(taken.map((batch) => batch?.calls.map(({ name }) => name))).toEqual([["a", "d"], ["b"], ["c"]]);
  });
});
