import type { AgentEvent } from "doomloop";
import { describe, expect, it } from "vitest";
import { actionsOf, decisionsOf, step, times } from "../../../../../test/builders.ts";

const build = step("bash", { command: "tail -1 build.log" }, "compiling");
const sleep = step("bash", { command: "sleep 60" }, "");
const work = Array.from({ length: 4 }, (_, at) => step("read_file", { path: `${at}.ts` }, `part ${at} of it`)).flat();
/** Work at a pace of two seconds, and then other events with so many seconds before each call. */
function paced(events: readonly AgentEvent[], seconds: number): AgentEvent[] {
  let at = 1_000_000;
  return [...work, ...events].map((event, place) => {
    at += event.type !== "call" ? 100 : 1_000 * (place < work.length ? 2 : seconds);
    return { ...event, at } as AgentEvent;
  });
}
const firstTold = (events: readonly AgentEvent[], patienceMs = 1_800_000) =>
  decisionsOf(events, { patienceMs })[0]?.at ?? Infinity;

describe("a look after a wait", () => {
  it.each<[string, AgentEvent[]]>([
    ["a sleep in its command", step("bash", { command: "sleep 60 && tail -1 build.log" }, "compiling")],
    ["a sleep before it", [...sleep, ...build]],
    ["a tool that waits", [...step("wait", { seconds: 60 }, "waited"), ...build]],
  ])("adds nothing for as long as patience lasts: %s", (_, lap) => {
    expect(actionsOf(times(10, lap))).toEqual([]);
    expect(firstTold(times(100, lap))).toBeLessThan(Infinity);
    expect(firstTold(times(10, lap), 0)).toBeLessThan(Infinity);
  });

  it("by the run's own pace is one, too, and on a schedule for ever", () => {
    expect(actionsOf(paced(times(10, build), 60))).toEqual([]);
    expect(actionsOf(paced(times(10, build), 3))).not.toEqual([]);
    expect(actionsOf(paced(times(300, step("get_queue_depth", {}, "3 jobs")), 300))).toEqual([]);
  });

  it("is none if the sleep failed", () => {
    const failed = step("bash", { command: "sleep 60" }, "sleep: command not found", { error: true });

    expect(firstTold(times(10, [...failed, ...build]))).toBeLessThan(firstTold(times(100, [...sleep, ...build])));
  });
});
