import type { AgentEvent } from "doomloop";
import { expect, it } from "vitest";
import { call, decisionsOf, failure, result, seenStepsOf, step } from "../../../../../test/builders.ts";

const PAGE = "The first line of the page.\nThe second line of the page.\nThe third line of the page.\nThe last line.";
const LOG = Array.from({ length: 20 }, (_, at) => `line ${"abcdefghijklmnopqrst"[at]} of the log`).join("\n");
const page = (id: number, output = PAGE) => step("get_page", { id }, output);
const ticket = (id: number) => step("next_ticket", {}, `{"id":${id}}`);
const edit = step("edit_file", { path: "a.ts", text: "x" }, "edited");
const steps = (events: readonly AgentEvent[]) => seenStepsOf(events, { ladder: ["nudge"] }).map((each) => each.step);
const each = (count: number, eventsOf: (at: number) => readonly AgentEvent[]) =>
  Array.from({ length: count }, (_, at) => eventsOf(at)).flat();

it.each<[string, readonly AgentEvent[], string]>([
  ["something new, whatever call brings it", [1, 2, 1].flatMap((id) => page(id)), "news none none"],
  ["an id", [1, 2, 2].flatMap(ticket), "news news none"],
  ["a failure", [call("get_page"), failure("404 Not Found")], "none"],
  ["nothing", step("search", { query: "x" }, "[]"), "none"],
  ["what is known but for a line", [...page(1, LOG), ...page(2, `${LOG}\none more line of it`)], "news none"],
  ["a write, and the same again", [...edit, ...edit], "change none"],
  ["a write that fails", [edit[0]!, failure("not found")], "none"],
  ["a call that did not run", [edit[0]!, result("The user said no.", { synthetic: true })], "none"],
])("says what it brought: %s", (_, events, expected) => {
  expect(steps(events).map(({ progress }) => progress)).toEqual(expected.split(" "));
});

it("takes no result that cannot be compared for one before", () => {
  const [one, other] = steps(each(2, () => step("get_page", { id: 1 }, { page: new Proxy({}, {}) })));

  expect(one!.result).not.toBe(other!.result);
});

it.each<[string, (at: number) => unknown]>([
  ["a page", (at) => `Name: user${at}\nCity: Oslo\nState: active customer\nNotes: none so far`],
  ["an object", (at) => ({ name: `user${at}`, city: "Oslo", state: "active customer", notes: "none so far" })],
  ["a longer record", (at) => `Host: node${at}\n${"The same words in each of them.\n".repeat(20)}`],
])("sees news where a name with a number in it is the next one: %s", (_, record) => {
  expect(decisionsOf(each(60, (at) => step("browser_click", { element: "Next" }, record(at + 7))))).toEqual([]);
});

it.each<[boolean, string, readonly AgentEvent[]]>([
  [true, "which otherwise says more", [...page(0), ...each(5, (at) => page(at + 1, "Das gibt es hier nicht."))]],
  [false, "which acts", each(6, (id) => step("insert_row", { id }, "ok"))],
  [false, "which said more once", each(40, (at) => step("verify", { at }, at === 4 ? "no: 7 is 8" : '{"match":true}'))],
])("takes a short answer for a no (%s) of a tool %s", (isOne, _, events) => {
  expect(steps(events).some(({ outcome }) => outcome === "no")).toBe(isOne);
});
