import fc from "fast-check";
import { expect, it } from "vitest";
import { call, decisionsOf, failure, latestIn, round, step, times, user } from "../../../../../test/builders.ts";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import type { AgentEvent } from "../event.ts";

const read = step("read_file", { path: "src/config.ts" }, "export const pageSize = 20;");
const test = [call("bash", { command: "npm test" }), failure("1 failed: expected 3, got 4")];
const edit = (text: string) => step("edit_file", { path: "src/cart.ts", text }, "Edited src/cart.ts.");
const log = (at: number) => step("read_log", { path: "a" }, `12:00:0${at} listening, ready in ${at}.3 s`);
const part = (at: number) => step("read_file", { path: "a.md", offset: at }, "All of it.");
const show = (program: string) => step("bash", { command: `${program} a.ts` }, "export const a = 1;");

it("tells of the same call with the same result at the third, and not before", () => {
  expect(decisionsOf(times(2, read))).toEqual([]);
  expect(decisionsOf(times(3, read))).toMatchObject([
    { action: "nudge", finding: { kind: "repeated-call", count: 3, weight: 3, steps: [0, 1, 2] } },
  ]);
});

it.each<[string, readonly AgentEvent[]]>([
  ["clock", [1, 2, 3].flatMap(log)],
  ["part of the file", [1, 2, 3, 4].flatMap(part)],
  ["program that shows it", ["cat", "head", "cat", "tail", "cat"].flatMap(show)],
])("takes a call for the same, whatever the %s", (_, events) => {
  expect(decisionsOf(events)[0]?.finding?.kind).toBe("repeated-call");
});

it.each<[string, readonly AgentEvent[]]>([
  ["after a change each", [...test, ...edit("a"), ...test, ...edit("b"), ...test, ...edit("c"), ...test]],
  ["because the user speaks", [...times(2, read), user("And again, please."), ...times(2, read)]],
  ["in one answer of the model", [round, ...times(5, read.slice(0, 1)), ...times(5, read.slice(1))]],
  ["as often as asked for", [user("Toss 12 times."), ...times(12, step("toss_coin", {}, "Tails, on the table."))]],
  ["where all that it says is ok", times(6, step("click", { element: "next" }, "ok"))],
  ["where a check passes", times(3, step("bash", { command: "npm test" }, "12 tests passed, took 3 s"))],
])("leaves calls alone that are made again %s", (_, events) => {
  expect(decisionsOf(events)).toEqual([]);
});

it.each([
  ["new-outcome", [...read, ...step("read_file", { path: "src/config.ts" }, "export const size = 21;")]],
  ["changed-world", [...read, ...edit("a"), ...read]],
  ["compaction", [...read, { type: "compaction" }, ...read]],
  ["waiting", times(3, step("bash", { command: "sleep 60 && tail -1 build.log" }, "compiling"))],
] as const)("says why a repeat adds nothing: %s", (reason, events) => {
  expect(latestIn(events)).toMatchObject({ added: 0, reason });
});

it("is silent where every result is new", () => {
  const page = (at: number) => step("next_page", {}, `page ${at} has ${at * 7} customers of the shop number ${at}`);
  const property = fc.property(fc.uniqueArray(fc.nat(5_000), { maxLength: 30 }), (pages) => {
    expect(decisionsOf(pages.flatMap(page))).toEqual([]);
  });
  fc.assert(property, { numRuns: Math.ceil(propertyRuns() / 20) });
});
