import { expect, it } from "vitest";
import { call, result, times } from "../../../../../test/builders.ts";
import type { AgentEvent } from "../../core/event.ts";
import { closeRun } from "../close-run.ts";
import { watchRun } from "../watch-run.ts";
import { utcClock } from "./active-days.ts";
import { workOf } from "./work-of.ts";

const START = Date.UTC(2026, 2, 1, 9);

/** What a session did: an event every ten seconds. */
function workIn(events: readonly AgentEvent[]) {
  const watch = watchRun("run", { guardOptions: {}, keepsAll: false, includesContent: false });
  events.forEach((event, at) => {
    watch.observe(event, START + at * 10_000);
  });
  const record = closeRun(watch, "trace", { prices: undefined, tokensPerCharacter: undefined });
  return workOf([{ id: "s", partOf: null, record }], utcClock);
}

const read = (path: string, text: string) => [call("Read", { file_path: path }), result(text)];
const run = (command: string, output: string, error = false) => [call("Bash", { command }), result(output, { error })];

it("says where the time and the text went, by tool and by kind of work", () => {
  const work = workIn([...read("/a/auth.ts", "x".repeat(400)), ...run("npm test", "1 failed", true)]);

  expect(work.calls).toBe(2);
  expect(work.time).toEqual({ toolsMs: 20_000, modelMs: 10_000, pausesMs: 0 });
  expect(work.tools).toEqual([
    { name: "Bash", calls: 1, failed: 1, timeMs: 10_000, characters: 8 },
    { name: "Read", calls: 1, failed: 0, timeMs: 10_000, characters: 400 },
  ]);
  expect(work.kinds.map(({ name }) => name)).toEqual(["look", "test"]);
});

it("names the files that were read again, whichever tool read them, and those after a compaction", () => {
  const work = workIn([
    ...read("/a/auth.ts", "one"),
    ...run("cat /a/auth.ts", "one"),
    { type: "compaction" },
    ...read("/a/auth.ts", "two"),
    ...[call("Grep", { pattern: "x", path: "/a/auth.ts" }), result("nothing")],
  ]);

  expect(work.files).toMatchObject({ reads: 3, again: 2, most: [{ what: "auth.ts", session: "s", times: 3 }] });
  expect(work.compactions).toEqual({
    ...{ count: 1, sessions: 1, readAgain: 1 },
    most: [{ what: "auth.ts", session: "s", times: 1 }],
  });
});

it("does not take the next part of a file for the file again", () => {
  const parts = [0, 200, 400, 600].flatMap((offset) => [
    call("Read", { file_path: "/a/build.log", offset, limit: 200 }),
    result(`lines from ${offset}`),
  ]);

  expect(workIn(parts).files).toMatchObject({ reads: 4, again: 0, most: [] });
});

it("names the check, of several commands in a line", () => {
  const work = workIn(times(3, run("cd /repo && rm -rf out && go test ./...", "FAIL", true)));

  expect(work.checks).toEqual([{ what: "go test", runs: 3, failed: 3 }]);
});

it("does not count a check that is not there", () => {
  const work = workIn([
    ...times(3, run("pnpm build", "Exit code 127\n/bin/sh: 1: pnpm: not found", true)),
    ...run("npm test", "1 failed", true),
  ]);

  expect(work.checks).toEqual([{ what: "npm test", runs: 1, failed: 1 }]);
});

it("counts the calls of sessions that show no results", () => {
  const work = workIn(times(5, [call("Read", { file_path: "a.ts" })]));

  expect(work.tools).toMatchObject([{ name: "Read", calls: 5 }]);
});

it("is the same, in however many parts the user had it done", () => {
  const events = [...read("/a/auth.ts", "one"), ...run("npm test", "1 failed", true), ...read("/a/auth.ts", "one")];
  const parted = events.flatMap((event): AgentEvent[] =>
    event.type === "call" ? [{ type: "user", text: "Go on." }, event] : [event],
  );
  const { time: _, days: __, ...work } = workIn(events);

  expect(workIn(parted)).toMatchObject(work);
  expect(work.files).toMatchObject({ reads: 2, again: 1, unchanged: 1 });
});

it("adds up to the calls of the session", () => {
  const work = workIn([...read("a.ts", "1"), ...run("npm test", "ok"), ...run("git status", "clean")]);

  expect(work.tools.reduce((sum, { calls }) => sum + calls, 0)).toBe(3);
  expect(work.kinds.reduce((sum, { calls }) => sum + calls, 0)).toBe(3);
  expect(work.days!.hours.reduce((sum, calls) => sum + calls, 0)).toBe(3);
});
