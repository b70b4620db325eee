import type { AgentEvent } from "doomloop";
import { describe, expect, it } from "vitest";
import { actionsOf, decisionsOf, latestIn, step, stepsOf, times } from "../../../../../test/builders.ts";

const build = step("bash", { command: "tail -1 build.log" }, "compiling");
const sleep = step("bash", { command: "sleep 60" }, "");
const work = Array.from({ length: 4 }, (_, at) => step("read_file", { path: `${at}.ts` }, `part ${at} of it`)).flat();
/** The same events with so many seconds before each call. */
const paced = (events: readonly AgentEvent[], seconds: number): AgentEvent[] => {
  let at = 1_000_000;
  return events.map((event) => {
    at += event.type === "call" ? seconds * 1_000 : 100;
    return { ...event, at } as AgentEvent;
  });
};
const firstTold = (events: readonly AgentEvent[], patienceMs?: number) =>
  decisionsOf(events, patienceMs === undefined ? {} : { patienceMs })[0]?.at ?? Infinity;

describe("a look after a wait", () => {
  it.each<[string, AgentEvent[]]>([
    ["a sleep in its command", step("bash", { command: "sleep 60 && tail -1 build.log" }, "compiling")],
    ["a sleep before it", [...sleep, ...build]],
    ["a tool that waits", [...step("wait", { seconds: 60 }, "waited"), ...build]],
  ])("adds nothing for as long as patience lasts: %s", (_, lap) => {
    expect(actionsOf(times(10, lap))).toEqual([]);
    expect(firstTold(times(100, lap))).toBeLessThan(Infinity);
  });

  it("says why it adds nothing", () => {
    expect(latestIn(times(3, [...sleep, ...build]))).toMatchObject({ added: 0, reason: "waiting" });
  });

  it("by the run's own pace is one, too", () => {
    const events = [
      ...paced(work, 2),
      ...paced(times(10, build), 60).map((event) => ({ ...event, at: (event as { at: number }).at + 60_000 })),
    ];

    expect(actionsOf(events as AgentEvent[])).toEqual([]);
  });

  it("is a long thought after a few looks at what does not change by itself", () => {
    const read = times(60, step("read_file", { path: "notes.md" }, "The release is on Friday, after the tests."));
    const thinking = [
      ...paced(work, 2),
      ...paced(read, 7).map((event) => ({ ...event, at: (event as { at: number }).at + 60_000 })),
    ] as AgentEvent[];
    const stoppedAt = decisionsOf(thinking).find(({ action }) => action === "stop")?.at ?? Infinity;

    expect((stoppedAt - work.length) / 2).toBeLessThan(50);
  });

  it("is none without patience", () => {
    expect(firstTold(times(10, [...sleep, ...build]), 0)).toBeLessThan(Infinity);
  });

  it("is none if the sleep failed", () => {
    const failed = step("bash", { command: "sleep 60" }, "sleep: command not found", { error: true });

    expect(firstTold(times(10, [...failed, ...build]))).toBeLessThan(firstTold(times(100, [...sleep, ...build])));
  });
});

describe("a look without a wait", () => {
  it("adds less where the answer says that something goes on", () => {
    const poll = (output: string) => stepsOf(times(3, step("check_job", { id: 7 }, output))).at(-1)!.added;

    expect(poll("status: running")).toBeLessThan(poll("the job was cancelled"));
    expect(poll("status: running")).toBeGreaterThan(0);
  });

  it("adds all where the answer says that all is over", () => {
    expect(latestIn(times(3, step("check_job", { id: 7 }, "status: failed"))).added).toBe(1);
  });
});
