import { describe, expect, it } from "vitest";
import { reportOnce, safely } from "./faults.ts";

const fault = new Error("a fault of theirs");

describe("safely", () => {
  it("gives back what is returned, a promise included", async () => {
    expect(safely(() => 7)).toBe(7);
    expect(await safely(async () => 7)).toBe(7);
  });

  it.each<[string, () => unknown]>([
    [
      "is thrown",
      () => {
        throw fault;
      },
    ],
    ["a promise is rejected with", () => Promise.reject(fault)],
    // biome-ignore lint/suspicious/noThenProperty: what is no promise may look like one.
    ["a thenable is rejected with", () => ({ then: (_: unknown, refuse: (fault: unknown) => void) => refuse(fault) })],
    [
      "is thrown by a look at the value",
      () =>
        // biome-ignore lint/suspicious/noThenProperty: as above.
        Object.defineProperty({}, "then", {
          get() {
            throw fault;
          },
        }),
    ],
  ])("hands on what %s, and goes on", async (_, action) => {
    const faults: unknown[] = [];
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on("unhandledRejection", note);
    safely(action, (each) => void faults.push(each));
    await new Promise((resolve) => setImmediate(resolve));
    process.off("unhandledRejection", note);

    expect([faults, unhandled]).toEqual([[fault], []]);
  });
});

describe("reportOnce", () => {
  it("tells of the first fault only, also to somebody who fails at it", async () => {
    const told: unknown[] = [];
    const report = reportOnce(async (each) => {
      told.push(each);
      throw new Error("another");
    });
    report(fault);
    report(new Error("a second"));
    await new Promise((resolve) => setImmediate(resolve));

    expect(told).toEqual([fault]);
  });
});
