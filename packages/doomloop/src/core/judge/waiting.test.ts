import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  call,
  decisionsOf,
  failure,
  latestIn,
  type RunSettings,
  result,
  step,
  times,
} from "../../../../../test/builders.ts";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import type { AgentEvent } from "../event.ts";

/** Equal looks, each so long after the one before it, that each take so long. */
function looks(
  count: number,
  gapMs: number,
  output = "nothing new",
  tookMs = 100,
  args: object = { job: 1 },
): AgentEvent[] {
  return Array.from({ length: count }, (_, look) => {
    const at = look * (gapMs + tookMs);
    return [call("get_job", args, { at }), result(output, { at: at + tookMs })];
  }).flat();
}

/** A failure, and the same again so long after it. */
const failing = (gapMs: number): AgentEvent[] =>
  [0, gapMs].flatMap((at) => [call("get_job", {}, { at }), result("error: 503", { error: true, at: at + 1 })]);

/** How many looks it takes to be told of them, out of so many. */
const firstAlarm = (events: readonly AgentEvent[], options: Parameters<typeof decisionsOf>[1] = {}) => {
  const at = decisionsOf(events, options)[0]?.at;
  return at === undefined ? undefined : (at + 1) / 2;
};

describe("a step waits", () => {
  const isWaiting = (events: readonly AgentEvent[], settings: RunSettings = {}): boolean =>
    latestIn(events, { progress: { seesResults: true }, ...settings }).isWaiting;

  const again = (tool: string, args: object, output: string) => times(2, step(tool, args, output));
  const look = step("get_job", {}, "no news");
  const nap = step("wait", { seconds: 5 }, "waited");

  it.each<[string, AgentEvent[]]>([
    ["sleeps", again("bash", { command: "sleep 5 && ls" }, "a b")],
    ["sleeps after its work", again("bash", { command: "npm run build; sleep 5" }, "built")],
    ["is a tool that waits", again("wait", { seconds: 5 }, "waited")],
    ["follows one that slept", [...look, ...nap, ...look]],
    ["comes after a pause", looks(2, 20_000)],
    ["took as long as its arguments say", looks(2, 0, "no news", 30_000, { job: 1, seconds: 30 })],
    ["says that something goes on", again("get_job", {}, '{"state": "running"}')],
    ["says so from a shell", again("bash", { command: "gh run view 7" }, '{"status":"in_progress"}')],
    ["backs off from a failure", failing(30_000)],
  ])("if it %s", (_what, events) => {
    expect(isWaiting(events)).toBe(true);
  });

  it.each<[string, AgentEvent[]]>([
    ["comes at once", looks(2, 2_000)],
    ["fails again at once", failing(2_000)],
    ["lets something settle for a moment", again("bash", { command: "npm run build; sleep 1" }, "built")],
    ["took its time for nothing that it was told", looks(2, 0, "no news", 30_000)],
    ["tells of a job that ended", again("get_job", {}, "done")],
    ["tells at length of what is running", again("get_job", {}, `running ${"x".repeat(500)}`)],
    ["says after a pause that all is over", looks(2, 20_000, "status: failed, see the log")],
    ["fails, though it speaks of what is running", times(2, [call("get_job"), failure("Error: job 7 is not running")])],
    ["follows one that slept, with a look in between", [...look, ...nap, ...step("ls", {}, "a"), ...look]],
  ])("but not if it %s", (_what, events) => {
    expect(isWaiting(events)).toBe(false);
  });

  it("if a rule says so", () => {
    const settings: RunSettings = { tools: { read_file: { poll: true } } };

    expect(isWaiting(again("read_file", { path: "a" }, "x"), settings)).toBe(true);
    expect(isWaiting(again("read_file", { path: "a" }, "x"))).toBe(false);
  });

  it("by the pace of its own run: a model that thinks for twenty seconds does not", () => {
    const slow = Array.from({ length: 15 }, (_, at) => [
      call("get_page", { at }, { at: at * 20_000 }),
      result(`page ${"x".repeat(at)}`, { at: at * 20_000 + 1 }),
    ]).flat();
    const first = (at: number) => [call("get_page", { at: 0 }, { at }), result("page ", { at: at + 1 })];

    expect(isWaiting([...slow, ...first(300_001)])).toBe(false);
    expect(isWaiting([...slow, ...first(320_002)])).toBe(true);
  });
});

describe("patience with what waits", () => {
  it.each(["kubectl rollout status deploy/web", "gh run watch 17", "tail -f build.log"])(
    "is granted to %j, which lasts until something happens",
    (command) => {
      const watch = step("bash", { command }, "0 of 3 updated replicas are there", { error: false });

      expect(decisionsOf(times(8, watch))).toEqual([]);
    },
  );

  it("lasts half an hour, and not an instant for looks without a pause", () => {
    expect(firstAlarm(looks(200, 20_000))).toBe(93);
    expect(firstAlarm(looks(200, 120_000))).toBe(19);
    expect(firstAlarm(looks(200, 2_000))).toBe(3);
  });

  it("lasts as long as asked, and sixteen looks at the least", () => {
    expect(firstAlarm(looks(200, 20_000), { progress: { patienceMs: 600_000 } })).toBe(33);
    expect(firstAlarm(looks(200, 20_000), { progress: { patienceMs: 1000 } })).toBe(19);
    expect(firstAlarm(looks(200, 20_000), { progress: { patienceMs: 0 } })).toBe(3);
  });

  it("has no end for who comes back every five minutes: that is a schedule", () => {
    expect(firstAlarm(looks(300, 300_000))).toBeUndefined();
    expect(firstAlarm(looks(300, 299_000))).toBe(19);
  });

  it("lasts twenty looks where only the answer says that something goes on, and eight where a clock shows that nobody waits", () => {
    const going = step("get_job", { job: 1 }, "status: running");

    expect(firstAlarm(times(60, going))).toBe(23);
    expect(firstAlarm(looks(60, 1_000, "status: running"))).toBe(11);
    expect(firstAlarm(times(60, going), { progress: { patienceMs: 0 } })).toBe(3);
  });

  it("lasts as long as the tool's rule says, in time and not in looks", () => {
    const tools = (patienceMs: number) => ({ tools: { get_job: { poll: { patienceMs } } } });

    expect(firstAlarm(looks(300, 20_000), tools(60_000))).toBe(6);
    expect(firstAlarm(looks(300, 2_000), tools(60_000))).toBe(32);
    expect(firstAlarm(times(60, step("get_job", {}, "no news")), tools(100_000))).toBe(13);
  });

  it("begins anew with news", () => {
    const building = (at: number) => looks(1, 0, `pending: ${"step ".repeat(Math.floor(at / 8))}`);
    const events = Array.from({ length: 100 }, (_, at) => building(at)).flat();

    expect(decisionsOf(events, { progress: { patienceMs: 100_000 } })).toEqual([]);
  });

  it("is longer for whoever waits longer between two looks", () => {
    const gap = fc.integer({ min: 10_000, max: 290_000 });
    const property = fc.property(gap, gap, (one, other) => {
      const waited = (gapMs: number) => firstAlarm(looks(240, gapMs))! * gapMs;
      const [shorter, longer] = [Math.min(one, other), Math.max(one, other)];

      expect(waited(shorter)).toBeGreaterThanOrEqual(1_800_000);
      expect(waited(longer)).toBeGreaterThanOrEqual(Math.min(1_800_000, 16 * longer));
      expect(firstAlarm(looks(240, longer))).toBeLessThanOrEqual(firstAlarm(looks(240, shorter))!);
    });
    // Some five hundred steps a case.
    fc.assert(property, { numRuns: Math.ceil(propertyRuns() / 50) });
  });
});

describe("whoever comes back after a pause", () => {
  const ofShell = (command: string, output: string, gapMs: number): AgentEvent[] =>
    Array.from({ length: 12 }, (_, look) => [
      call("bash", { command }, { at: look * gapMs }),
      result(output, { at: look * gapMs + 300 }),
    ]).flat();

  it("waits where that was asked for, although the answer is an error", () => {
    const throttled = `{"error":"Too many requests, retry after 20 seconds"}`;

    expect(decisionsOf(ofShell("curl -s https://api/x", throttled, 22_000))).toEqual([]);
    expect(decisionsOf(ofShell("curl -s https://api/x", throttled, 500))).not.toEqual([]);
  });

  it.each([
    ["a pod that fails again and again", "kubectl get deploy app", "app 0/1 CrashLoopBackOff: the last run failed"],
    ["a run that has failed", "gh run list -L1", "completed failure build main push 123"],
  ])("is told that it is over, and neither refused nor ended: %s", (_, command, output) => {
    const actions = decisionsOf(ofShell(command, output, 60_000)).map(({ action }) => action);

    expect(new Set(actions)).toEqual(new Set(["nudge"]));
  });
});
