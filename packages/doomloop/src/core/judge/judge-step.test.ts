import { describe, expect, it } from "vitest";
import { call, failure, latestIn, result, step, times } from "../../../../../test/builders.ts";
import type { AgentEvent } from "../event.ts";

const LONG = `a record of more than a hundred characters, ${"which nobody gives twice word for word ".repeat(2)}`;
const read = step("read_file", { path: "a.ts" }, "export const a = 1;");
const order = (output: string) => step("get_order", { id: 7 }, output);
const lookedAt = (at: number) => [call("get_order", { id: 7 }, { at }), result(LONG, { at: at + 1 })];
const failed = [call("get_order", { id: 7 }), failure("no such order")];

describe("a step", () => {
  it("is proof where it comes back to the letter, and would show it if anything had happened", () => {
    expect([1, 2, 3].map((count) => latestIn(times(count, read)).isProof)).toEqual([false, true, true]);
    expect(latestIn(times(3, order("none"))).isProof).toBe(false);
    expect(latestIn(times(2, failed)).isProof).toBe(true);
  });

  it("is no proof where something new was tried in between", () => {
    expect(latestIn([...times(2, failed), ...step("get_order", { id: 8 }, "none"), ...failed]).isProof).toBe(false);
    expect(latestIn([...times(2, failed), ...step("get_order", { id: 8 }, "none"), ...times(2, failed)]).isProof).toBe(
      true,
    );
  });

  it.each<[string, AgentEvent[]]>([
    ["its answer says that something goes on", times(3, order(`status: running, ${LONG}`))],
    ["it sleeps", times(3, step("bash", { command: "sleep 5 && cat a.ts" }, LONG))],
    ["it comes after a pause", [0, 60_000, 120_000].flatMap((at) => lookedAt(at))],
  ])("is no proof where it waits: %s", (_what, events) => {
    expect(latestIn(events)).toMatchObject({ isWaiting: true, isProof: false });
  });
});
