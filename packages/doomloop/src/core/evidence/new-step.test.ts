import { describe, expect, it } from "vitest";
import { call, latestIn, result, seenStepsOf, step } from "../../../../../test/builders.ts";
import type { Step } from "../memory/step.ts";

const stepOf = (tool: string, args: unknown): Step => latestIn([call(tool, args), result("ok")]);
const keyOf = (tool: string, args: unknown): string => stepOf(tool, args).key;

describe("the key of a call", () => {
  it.each<[string, unknown, unknown]>([
    ["a reason", { path: "a", reason: "to see" }, { path: "a", reason: "to look" }],
    ["a time limit", { path: "a", timeout: 5 }, { path: "a", timeout: 50 }],
    ["a request id", { path: "a", request_id: "1" }, { path: "a", request_id: "2" }],
    ["an attempt", { path: "a", attempt: 1 }, { path: "a", attempt: 2 }],
    ["the order of fields", { path: "a", mode: "r" }, { mode: "r", path: "a" }],
    ["how they are written", { path: "a" }, '{"path": "a"}'],
  ])("leaves out %s", (_, one, other) => {
    expect(keyOf("read_file", one)).toBe(keyOf("read_file", other));
  });

  it.each<[string, unknown, unknown]>([
    ["a path", { path: "a" }, { path: "b" }],
    ["a page", { path: "a", page: 1 }, { path: "a", page: 2 }],
    ["a type", { id: 7 }, { id: "7" }],
    ["a missing field", { path: "a", mode: "r" }, { path: "a" }],
  ])("tells apart calls that differ in %s", (_, one, other) => {
    expect(keyOf("read_file", one)).not.toBe(keyOf("read_file", other));
  });

  it("is that of a command in substance", () => {
    expect(keyOf("bash", { command: "cd app && npm test 2>&1 | tail -5" })).toBe(
      keyOf("bash", { command: "npm test" }),
    );
    expect(keyOf("bash", { command: "npm test" })).not.toBe(keyOf("zsh", { command: "npm test" }));
  });

  it("equals no other where arguments cannot be compared", () => {
    const args = { value: new Proxy({}, {}) };
    const [one, other] = seenStepsOf([...step("a", args, "x"), ...step("a", args, "y")]);

    expect(one).toMatchObject({ isComparable: false });
    expect(one!.key).not.toBe(other!.key);
  });
});

describe("the substance of a call", () => {
  it("is the file that it shows, however it is asked for", () => {
    const { substance } = stepOf("read_file", { path: "src/a.ts" });

    expect(stepOf("bash", { command: "cat ./src//a.ts" }).substance).toBe(substance);
    expect(stepOf("read_file", { path: "src/a.ts", offset: 20 }).substance).toBe(substance);
    expect(stepOf("read_file", { path: "src/b.ts" }).substance).not.toBe(substance);
  });

  it("takes a path of no usual length as it is, because to read it would take long", () => {
    const long = (start: string, length: number) => stepOf("read_file", { path: `${start}${"a".repeat(length)}` });

    expect(long("./", 3_000).substance).toBe(long("", 3_000).substance);
    expect(long("./", 5_000).substance).not.toBe(long("", 5_000).substance);
    expect(long("", 70_000).substance).toBeUndefined();
  });
});

describe("a step", () => {
  it("knows whether its call was made before", () => {
    const [one, other, again] = seenStepsOf([
      ...step("a", { x: 1 }, "1"),
      ...step("a", { x: 2 }, "2"),
      ...step("a", { x: 1 }, "1"),
    ]);

    expect([one!.isNewCall, other!.isNewCall, again!.isNewCall]).toEqual([true, true, false]);
  });

  it("keeps hashes, and no words but the tool's name", () => {
    const kept = JSON.stringify(stepOf("read_file", { path: "a secret", query: "of a secret" }));

    expect(kept).not.toContain("secret");
    expect(kept).toContain("read_file");
  });

  it("reads numbers, and the form around them", () => {
    const [one, other] = [3, 4].map((page) => stepOf("list", { page, limit: 20 }));

    expect(one!.shape).toBe(other!.shape);
    expect(one!.numbers).not.toEqual(other!.numbers);
  });
});
