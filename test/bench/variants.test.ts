import { describe, expect, it } from "vitest";
import { variants } from "../../bench/quality/variants/variants.ts";
import { call, result, round, user } from "../builders.ts";

const events = [
  user("go"),
  round,
  call("read_file", { path: "a" }, { at: 1 }),
  result("text", { at: 2 }),
  round,
  call("wait", {}, { at: 3 }),
  result("text", { at: 4 }),
  call("read_file", { path: "b" }, { at: 5 }),
];
const toolsOf = (told: readonly object[]) => told.flatMap((event) => ("tool" in event ? [event.tool] : []));

describe("a run told otherwise", () => {
  it("has other names for its tools, equal for equal ones and different for different ones", () => {
    const [first, second, third] = toolsOf(variants["tools renamed"](events, "a run"));

    expect(third).toBe(first);
    expect(second).not.toBe(first);
    expect(["read_file", "wait"]).not.toContain(first);
    expect(first).toMatch(/^[a-z]+$/);
  });

  it("has the same names each time, and others in another run", () => {
    const renamed = toolsOf(variants["tools renamed"](events, "a run"));

    expect(toolsOf(variants["tools renamed"](events, "a run"))).toEqual(renamed);
    expect(toolsOf(variants["tools renamed"](events, "another run"))).not.toEqual(renamed);
  });

  it("keeps everything but the names of its tools", () => {
    const anonymous = (told: readonly object[]) => told.map((event) => ({ ...event, tool: undefined }));

    expect(anonymous(variants["tools renamed"](events, "a run"))).toEqual(anonymous(events));
  });

  it("has no clock", () => {
    expect(variants["no clock"](events)).toEqual([
      user("go"),
      round,
      call("read_file", { path: "a" }),
      result("text"),
      round,
      call("wait"),
      result("text"),
      call("read_file", { path: "b" }),
    ]);
  });

  it("has no rounds", () => {
    expect(variants["no rounds"](events)).toEqual(events.filter((event) => event !== round));
  });

  it("has neither", () => {
    const told = variants["no clock, no rounds"](events);

    expect(told).toHaveLength(6);
    expect(told.some((event) => "at" in event || event.type === "round")).toBe(false);
  });
});
