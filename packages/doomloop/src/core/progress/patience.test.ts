import { describe, expect, it } from "vitest";
import { decisionsOf, newRun, type RunSettings, step } from "../../../../../test/builders.ts";
import type { AgentEvent } from "../event.ts";
import { waitedMs } from "./patience.ts";
import { readCall } from "./read-call.ts";

const effect = (seconds: number) => readCall("wait", { seconds }, undefined).effect;

describe("waitedMs", () => {
  it("is what passed since the last look, where the host says when", () => {
    expect(waitedMs(effect(0), 70_000, 10_000)).toBe(60_000);
  });

  it("is at least what the call asked for", () => {
    expect(waitedMs(effect(30), 11_000, 10_000)).toBe(30_000);
    expect(waitedMs(effect(30), undefined, undefined)).toBe(30_000);
  });

  it("is ten seconds for a look at a job, where nobody tells", () => {
    expect(waitedMs(effect(0), undefined, 10_000)).toBe(10_000);
    expect(waitedMs(effect(0), 5000, 10_000)).toBe(10_000);
  });
});

describe("a step asks for time", () => {
  const isWaiting = (events: readonly AgentEvent[], settings: RunSettings = {}): boolean => {
    const run = newRun(settings);
    for (const event of [...events, ...events]) run.take(event);
    return run.state.latest!.isWaiting;
  };

  it.each([
    ["a call that sleeps", step("bash", { command: "sleep 5 && ls" }, "a b")],
    ["a tool that waits", step("wait", { seconds: 5 }, "waited")],
    ["a job that goes on", step("get_job_status", { job: 1 }, '{"state": "running"}')],
    ["a deployment in progress", step("check_deploy", {}, "in progress")],
    ["a shell in the background", step("bash_output", { id: "2" }, "<status>running</status>")],
    ["a pipeline seen from the shell", step("bash", { command: "gh run view 7" }, '{"status":"in_progress"}')],
    ["a process that runs on", step("write_stdin", { chars: "" }, "Process running with id 7")],
  ])("where it is %s", (_, events) => {
    expect(isWaiting(events)).toBe(true);
  });

  it.each([
    ["a look at a file", step("read_file", { path: "a" }, "still running")],
    ["a job that ended", step("get_job_status", { job: 1 }, "done")],
    ["a long report", step("get_job_status", { job: 1 }, `running ${"x".repeat(500)}`)],
  ])("but not where it is %s", (_, events) => {
    expect(isWaiting(events)).toBe(false);
  });

  it("where a rule says so", () => {
    expect(isWaiting(step("read_file", { path: "a" }, "x"), { tools: { read_file: { poll: true } } })).toBe(true);
  });
});

describe("patience", () => {
  const poll = step("check_job", { job: 1 }, "pending");
  const firstAlarm = (options: Parameters<typeof decisionsOf>[1]): number | undefined =>
    decisionsOf(Array.from({ length: 200 }, () => poll).flat(), options)[0]?.at;

  it("ends after its time, not after a number of calls", () => {
    const short = firstAlarm({ progress: { patienceMs: 60_000 } });
    const long = firstAlarm({ progress: { patienceMs: 600_000 } });

    expect(short).toBeGreaterThanOrEqual(2 * 6);
    expect(long).toBeGreaterThanOrEqual(2 * 60);
  });

  it("is that of the tool's rule, where there is one", () => {
    expect(firstAlarm({ tools: { check_job: { poll: { patienceMs: 100_000 } } } })).toBeLessThan(firstAlarm({})!);
  });

  it("begins anew with news", () => {
    const news = Array.from({ length: 100 }, (_, at) =>
      step("check_job", { job: 1 }, `pending: ${"step ".repeat(Math.floor(at / 5))}`),
    ).flat();

    expect(decisionsOf(news, { progress: { patienceMs: 100_000 } })).toEqual([]);
  });
});
