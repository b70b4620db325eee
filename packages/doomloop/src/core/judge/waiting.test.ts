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
  user,
} from "../../../../../test/builders.ts";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import type { AgentEvent } from "../event.ts";
import { numbersIn, tookAsLongAsTold } from "./waiting.ts";

/** As much as a service tells that has no news: no single value, which may be asked for more than once. */
const NO_NEWS = "There is no news of the job that you have asked for, and nothing to be seen of what it does.";

/** Equal looks, each so long after the one before it, that each take so long. */
function looks(count: number, gapMs: number, output = NO_NEWS, tookMs = 100, args: object = { job: 1 }): AgentEvent[] {
  return Array.from({ length: count }, (_, look) => {
    const at = look * (gapMs + tookMs);
    return [call("get_job", args, { at }), result(output, { at: at + tookMs })];
  }).flat();
}

/** A failure, and the same again so long after it. */
const failing = (gapMs: number, output = "error: 500"): AgentEvent[] =>
  [0, gapMs].flatMap((at) => [call("get_job", {}, { at }), result(output, { error: true, at: at + 1 })]);

/** The same failure every twenty seconds. */
const failing20 = (output: string, count: number): AgentEvent[] =>
  Array.from({ length: count }, (_, at) => [
    call("get_job", {}, { at: at * 20_000 }),
    result(output, { error: true, at: at * 20_000 + 1 }),
  ]).flat();

/** How many looks it takes to be told of them, out of so many. */
const firstAlarm = (
  events: readonly AgentEvent[],
  options: Parameters<typeof decisionsOf>[1] = {},
  before: readonly AgentEvent[] = [],
) => {
  const at = decisionsOf([...before, ...events], options)[0]?.at;
  return at === undefined ? undefined : (at + 1 - before.length) / 2;
};

describe("a check on something that goes on", () => {
  it("may be made more often at a quiet pace", () => {
    const checks = (everyMs: number) => firstAlarm(looks(40, everyMs - 100, "status: running"));

    expect([checks(2_499), checks(2_500)]).toEqual([16, 28]);
  });
});

describe("a test that fails after every pause", () => {
  const failingTests = (count: number, gapMs: number, output = "expected 3, got 4\n1 failed, 7 passed") =>
    Array.from({ length: count }, (_, at) => [
      call("bash", { command: "npm test" }, { at: at * gapMs }),
      result(output, { error: true, at: at * gapMs + 100 }),
    ]).flat();

  const write = (content: string, at: number) => [
    call("write_file", { path: "a.ts", content }, { at }),
    result("written", { at: at + 10 }),
  ];

  it.each([5_200, 20_000, 120_000])("is told of after some of them, every %i ms: the agent thinks", (gapMs) => {
    const quick = [
      ...write("one", -900),
      ...failingTests(1, 0).map((one) => ({ ...one, at: -600 })),
      ...write("two", -300),
    ];

    expect(firstAlarm(failingTests(20, gapMs), {}, quick)).toBe(12);
  });

  it.each<[string, AgentEvent[], AgentEvent[]]>([
    ["comes every six minutes", [], failingTests(40, 360_000)],
    ["is asked for by the user", [user("Keep checking until the tests pass.")], failingTests(27, 20_000)],
    ["says that somebody else is at it", [], failingTests(40, 20_000, "Error: database is locked\n1 failed")],
  ])("may be waiting if it %s", (_what, before, events) => {
    expect(firstAlarm(events, {}, before)).toBeUndefined();
  });
});

describe("a step waits", () => {
  const isWaiting = (events: readonly AgentEvent[], settings: RunSettings = {}): boolean =>
    latestIn(events, { progress: { seesResults: true }, ...settings }).isWaiting;

  const again = (tool: string, args: object, output: string) => times(2, step(tool, args, output));
  const look = step("get_job", {}, "no news");
  const nap = step("wait", { seconds: 5 }, "waited");
  const start = step("start_job", { job: 1 }, "ok");
  const written = step("write_file", { path: "a.ts", content: "x" }, "ok");
  const ls = (at: number) => step("list_files", { path: `${at}` }, `file ${at}`);

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
    ["is turned away because too many are at it", failing(2_000, "error: 503, too many requests")],
    ["looks at once at what the run has set going", [...start, ...times(2, look)]],
    ["asks a terminal what has come meanwhile", again("bash", { command: "" }, "no news")],
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
    ["follows one that slept, with others in between", [...look, ...nap, ...ls(1), ...ls(2), ...look]],
    ["looks at what the run set going, with another in between", [...start, ...ls(1), ...times(2, look)]],
    ["looks at what the run set going, and set it going again", [...start, ...look, ...start, ...look]],
    ["looks after a file was written", [...written, ...times(2, look)]],
    ["is a faulty call, whatever was set going", [...start, ...times(2, [call("get_job"), failure("invalid option")])]],
  ])("but not if it %s", (_what, events) => {
    expect(isWaiting(events)).toBe(false);
  });

  it("if a rule says so", () => {
    const settings: RunSettings = { tools: { read_file: { poll: true } } };

    expect(isWaiting(again("read_file", { path: "a" }, "x"), settings)).toBe(true);
    expect(isWaiting(again("read_file", { path: "a" }, "x"))).toBe(false);
  });

  it("no longer once it acts before each look: that is how it works", () => {
    const lap = (at: number) => [...step("bash", { command: `./act.sh ${at}` }, ""), ...nap, ...look];
    const waiting = Array.from({ length: 6 }, (_, laps) =>
      isWaiting(Array.from({ length: laps + 2 }, (__, at) => lap(at)).flat(), { progress: { worldChange: false } }),
    );

    expect(waiting).toEqual([true, true, false, false, false, false]);
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

describe("a run that repeats one slow call from its start", () => {
  const others = Array.from({ length: 3 }, (_, at) => [
    call("read_file", { path: `${at}.ts` }, { at: at * 3_000 - 9_000 }),
    result(`file ${at}`, { at: at * 3_000 - 8_900 }),
  ]).flat();

  it("is told after sixteen looks, and nothing is refused: the model may be slow, or the agent patient", () => {
    const decisions = decisionsOf(looks(60, 20_000));

    expect(firstAlarm(looks(60, 20_000))).toBe(16 + 3);
    expect(new Set(decisions.map(({ action }) => action))).toEqual(new Set(["nudge"]));
  });

  it.each<[string, readonly AgentEvent[], readonly AgentEvent[]]>([
    ["the run has shown that it is quicker", looks(60, 20_000), others],
    ["the pauses are longer than a thought", looks(40, 30_000), []],
    ["the answer says that something goes on", looks(60, 20_000, `status: running. ${NO_NEWS}`), []],
    ["somebody is busy", failing20("503 Service Unavailable", 60), []],
  ])("waits if %s", (_, events, before) => {
    expect(firstAlarm(events, {}, before)).toBeUndefined();
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
    expect(firstAlarm(looks(200, 40_000))).toBe(48);
    expect(firstAlarm(looks(200, 120_000))).toBe(19);
    expect(firstAlarm(looks(200, 2_000))).toBe(3);
  });

  it("lasts as long as asked, and sixteen looks at the least", () => {
    expect(firstAlarm(looks(200, 30_000), { progress: { patienceMs: 900_000 } })).toBe(33);
    expect(firstAlarm(looks(200, 30_000), { progress: { patienceMs: 1000 } })).toBe(19);
    expect(firstAlarm(looks(200, 30_000), { progress: { patienceMs: 0 } })).toBe(3);
  });

  it("has no end for an agent that comes back every five minutes: that is a schedule", () => {
    expect(firstAlarm(looks(300, 300_000))).toBeUndefined();
    expect(firstAlarm(looks(300, 299_000))).toBe(19);
  });

  it("lasts by looks where only the answer says that something goes on: fewer at a pace without a breath", () => {
    const running = `status: running. ${NO_NEWS}`;
    const going = step("get_job", { job: 1 }, running);

    expect(firstAlarm(times(60, going))).toBe(13 + 3);
    expect(firstAlarm(looks(60, 1_000, running))).toBe(9 + 3);
    expect(firstAlarm(looks(60, 3_000, running))).toBe(21 + 3);
    expect(firstAlarm(times(60, going), { progress: { patienceMs: 0 } })).toBe(3);
  });

  it("lasts twice as long if the agent says what it waits for, and three times as long if the user asked it to wait", () => {
    const going = times(80, step("get_job", { job: 1 }, `status: running. ${NO_NEWS}`));
    const alarm = (first: AgentEvent) => firstAlarm(going, {}, [first]);

    expect(alarm({ type: "text", text: "I will check again in a moment." })).toBe(2 * 13 + 3);
    expect(alarm(user("Tell me when it is done."))).toBe(3 * 13 + 3);
    expect(alarm(user("Look at the job."))).toBe(13 + 3);
  });

  it("does not start again with another word for the same trouble", () => {
    const locked = (at: number) => [call("get_job", { job: 1 }), failure(`the job is locked by ${"a".repeat(at)}`)];
    const after = (count: number) => latestIn(Array.from({ length: count }, (_, at) => locked(at + 1)).flat());

    expect(after(10)).toMatchObject({ isWaiting: true, isExcused: true });
    expect(after(40)).toMatchObject({ isWaiting: true, isExcused: false });
  });

  it("lasts as long as the tool's rule says, in time and not in looks", () => {
    const tools = (patienceMs: number) => ({ tools: { get_job: { poll: { patienceMs } } } });

    expect(firstAlarm(looks(300, 20_000), tools(60_000))).toBe(6);
    expect(firstAlarm(looks(300, 2_000), tools(60_000))).toBe(32);
    expect(firstAlarm(times(60, step("get_job", {}, NO_NEWS)), tools(100_000))).toBe(13);
  });

  it("starts again with news", () => {
    const building = (at: number) => looks(1, 0, `pending: ${"step ".repeat(Math.floor(at / 8))}`);
    const events = Array.from({ length: 100 }, (_, at) => building(at)).flat();

    expect(decisionsOf(events, { progress: { patienceMs: 100_000 } })).toEqual([]);
  });

  it("is longer for an agent that waits longer between two checks", () => {
    const gap = fc.integer({ min: 30_000, max: 290_000 });
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

describe("an agent that comes back after a pause", () => {
  const ofShell = (command: string, output: string, gapMs: number): AgentEvent[] =>
    Array.from({ length: 16 }, (_, look) => [
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

describe("numbersIn", () => {
  it.each<[unknown, number[]]>([
    [{ seconds: 30 }, [30]],
    [{ command: "sleep 30 && curl localhost:8080" }, [30, 8080]],
    ["sleep 90", [90]],
    [{ name: "wait", until: "in 5 minutes", retries: 3 }, [5, 3]],
    [{ text: "0 and 00 and 1 and 7" }, [1, 7]],
    [{ list: [30], deep: { seconds: 40 }, no: null, yes: true }, [30, 40]],
    [{ deep: { deeper: { seconds: 30 } } }, []],
    [
      [10, "20"],
      [10, 20],
    ],
    [{}, []],
    [undefined, []],
    [null, []],
    [30, []],
  ])("are in %j: %j", (args, numbers) => {
    expect(numbersIn(args)).toEqual(numbers);
  });

  it("are six at most, and are not looked for in a long text or after many fields", () => {
    expect(numbersIn("1 2 3 4 5 6 7 8")).toHaveLength(6);
    expect(numbersIn({ a: "1 2 3 4", b: "5 6 7 8" })).toHaveLength(6);
    expect(numbersIn({ text: `${"x".repeat(397)} 30` })).toEqual([30]);
    expect(numbersIn({ text: `${"x".repeat(398)} 30` })).toEqual([]);
    expect(numbersIn(Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`f${at}`, at < 16 ? "" : 30])))).toEqual(
      [],
    );
  });

  it("are read without running a getter", () => {
    const args = Object.defineProperty({ b: 2 }, "a", { enumerable: true, get: () => expect.unreachable() });

    expect(numbersIn(args)).toEqual([2]);
  });
});

describe("tookAsLongAsTold", () => {
  it.each<[number, number[]]>([
    [30_000, [30]],
    [30_000, [30_000]],
    [120_000, [2]],
    [31_200, [8080, 30]],
    [26_000, [30]],
    [4_000, [4]],
  ])("is true for %i ms and the numbers %j", (tookMs, numbers) => {
    expect(tookAsLongAsTold(tookMs, numbers)).toBe(true);
  });

  it.each<[string, number, number[]]>([
    ["a build that took its time", 47_000, [8080, 3]],
    ["a call that came back at once", 40, [30]],
    ["a call that came back early", 12_000, [30]],
    ["a call that hung", 90_000, [30]],
    ["a short one", 3_999, [4]],
    ["one without a number", 30_000, []],
    ["one with numbers that are none", 30_000, [Number.NaN, -30, 0]],
    ["one that was told to wait for ever", 30_000, [Number.POSITIVE_INFINITY]],
  ])("is false for %s", (_what, tookMs, numbers) => {
    expect(tookAsLongAsTold(tookMs, numbers)).toBe(false);
  });

  it("is true within a seventh of the time told, and not at twice the time or half of it", () => {
    const property = fc.property(
      fc.integer({ min: 10, max: 900 }),
      fc.integer({ min: -14, max: 14 }),
      (seconds, off) => {
        expect(tookAsLongAsTold(seconds * 1000 * (1 + off / 100), [seconds])).toBe(true);
        expect(tookAsLongAsTold(seconds * 2000, [seconds * 1000])).toBe(false);
        expect(tookAsLongAsTold(seconds * 500, [seconds * 1000])).toBe(false);
      },
    );
    fc.assert(property, { numRuns: propertyRuns() });
  });
});
