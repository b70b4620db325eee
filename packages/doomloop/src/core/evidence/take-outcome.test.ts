import { describe, expect, it } from "vitest";
import {
  call,
  decisionsOf,
  failure,
  latestIn,
  result,
  seenStepsOf,
  step,
  times,
} from "../../../../../test/builders.ts";

const PAGE = "The first line of the page.\nThe second line of the page.\nThe third line of the page.\nThe last line.";
const seen = { ladder: ["nudge"] as const };

describe("an outcome", () => {
  it("is news the first time, whatever call brings it", () => {
    const [one, other, again] = seenStepsOf(
      [
        ...step("get_page", { id: 1 }, PAGE),
        ...step("get_page", { id: 2 }, PAGE),
        ...step("get_page", { id: 1 }, PAGE),
      ],
      seen,
    );

    expect([one!.isNews, other!.isNews, again!.isNews]).toEqual([true, false, false]);
  });

  it.each([
    ["next_ticket", (at: number) => `{"id":${at}}`],
    ["claimJob", (at: number) => `{"id":"4f6c1e0${at}-97a3-4633-b807-97de7ae5b99d"}`],
  ])("of a tool that hands out items is news by its id alone: %s", (tool, item) => {
    const steps = seenStepsOf([1, 2, 2].flatMap((at) => step(tool, {}, item(at))));

    expect(steps.map(({ isNews }) => isNews)).toEqual([true, true, false]);
  });

  it.each([
    ["a page", (at: number) => `Name: user${at}\nCity: Oslo\nState: active customer\nNotes: none so far`],
    [
      "an object",
      (at: number) => ({ name: `user${at}`, city: "Oslo", state: "active customer", notes: "none so far" }),
    ],
    ["a longer record", (at: number) => `Host: node${at}\n${"The same words in each of them.\n".repeat(20)}`],
  ])("is news where a name with a number in it is the next one: %s", (_, record) => {
    const clicks = Array.from({ length: 60 }, (_, at) => step("browser_click", { element: "Next" }, record(at + 7)));

    expect(decisionsOf(clicks.flat())).toEqual([]);
  });

  it("is no news where a failure only counts its attempts in such a name", () => {
    const again = (at: number) => [call("bash", { command: "./sync" }), failure(`Error: attempt${at} has no route`)];
    const decisions = decisionsOf(Array.from({ length: 30 }, (_, at) => again(at + 7)).flat());
    const first = (action: string) => decisions.find((decision) => decision.action === action)!.at >> 1;

    expect([first("nudge"), first("block"), first("stop")]).toEqual([2, 9, 19]);
  });

  it("is another failure where its numbers say that it gets better, though a name with a number changes, too", () => {
    const [, second] = seenStepsOf(
      [8, 7].flatMap((left) => [
        call("bash", { command: "npm test" }),
        failure(`FAIL test_${left}\n${left} tests failed\n${20 - left} tests passed`),
      ]),
    );

    expect(second).toMatchObject({ isFirst: true });
  });

  it("is no news if it fails, or says that there is nothing", () => {
    expect(latestIn([call("get_page", { id: 1 }), failure("404 Not Found")], seen)).toMatchObject({ isNews: false });
    expect(latestIn(step("search", { query: "x" }, "No results."), seen)).toMatchObject({
      isNews: false,
      isNothing: true,
    });
  });

  it.each([2_400, 9_000, 90_000])("is news if only the middle of a long text is new: %i characters", (length) => {
    const words = ["open", "taken", "tested", "merged", "closed"];
    const board = (at: number): string =>
      Array.from({ length: length / 30 }, (_, row) => {
        const isMiddle = row > length / 60 - 8 && row < length / 60 + 8;
        return `ticket row of the board is ${words[(row + (isMiddle ? at : 0)) % 5]}${isMiddle ? ` by ${"abcdefgh"[at]}x` : ""}`;
      }).join("\n");
    const steps = seenStepsOf([0, 1, 2, 3].flatMap((at) => step("get_board", {}, board(at))));

    expect(new Set(steps.map(({ value }) => value)).size).toBe(4);
    expect(steps.map(({ added }) => added)).toEqual([0, 0, 0, 0]);
  });

  it("is no news if nearly all of it is known", () => {
    const log = Array.from({ length: 20 }, (_, at) => `line ${"abcdefghijklmnopqrst"[at]} of the log`).join("\n");
    const steps = seenStepsOf([...step("a", {}, log), ...step("b", {}, `${log}\none more line of it`)], seen);

    expect(steps[1]!.isNews).toBe(false);
  });

  it("is a change if an act or a write succeeds, the first time", () => {
    const edit = step("edit_file", { path: "a.ts", text: "x" }, "edited");
    const [one, again] = seenStepsOf(times(2, edit), seen);

    expect([one!.isChange, again!.isChange]).toEqual([true, false]);
    expect(latestIn(step("read_file", { path: "a.ts" }, PAGE), seen).isChange).toBe(false);
    expect(latestIn([edit[0]!, failure("not found")], seen).isChange).toBe(false);
  });

  it("is never progress if it stands for a call that did not run", () => {
    const refused = [call("edit_file", { path: "a.ts", text: "x" }), result("The user said no.", { synthetic: true })];

    expect(latestIn(refused, seen)).toMatchObject({ isNews: false, isChange: false, isSynthetic: true });
  });

  it("is the same as before if it differs only in what is volatile", () => {
    const [one, other] = seenStepsOf(
      [1, 2].flatMap((at) => step("get_page", { id: 1 }, `${PAGE} Read at 12:00:0${at}`)),
      seen,
    );

    expect(one!.value).toBe(other!.value);
    expect(one!.raw).not.toBe(other!.raw);
  });

  it("is told by its end, too", () => {
    const long = "a line of the log that is read and that goes on and on ".repeat(40);
    const [one, other] = seenStepsOf(
      ["in peace", "in tears"].flatMap((end) => step("run_it", { id: 1 }, `${long}\nended ${end}`)),
      seen,
    );

    expect(one!.value).not.toBe(other!.value);
  });

  // Today, one new line among many known ones is no other outcome, wherever it stands.
  it("is told by its last line however many others there are", () => {
    const lines = Array.from({ length: 50 }, (_, at) => `line ${String.fromCharCode(65 + at)}${at} of the log`).join(
      "\n",
    );
    const [one, other] = seenStepsOf(
      ["started", "crashed"].flatMap((end) =>
        step("bash", { command: "tail -51 app.log" }, `${lines}\nthe server ${end}`),
      ),
      seen,
    );

    expect(one!.value).not.toBe(other!.value);
  });

  it("equals nothing if it cannot be compared", () => {
    const [one, other] = seenStepsOf(times(2, step("get_page", { id: 1 }, { page: new Proxy({}, {}) })), seen);

    expect(one!.value).not.toBe(other!.value);
    expect(one!.isNothing).toBe(false);
  });
});

describe("a no", () => {
  it.each([
    ["is as short", { match: false }],
    ["says more", { match: false, expected: "9f2c", found: "77a1", path: "/reels/5.dpx" }],
  ])("is not the usual answer of a tool, of which one exception %s", (_what, exception) => {
    const steps = Array.from({ length: 40 }, (_, at) =>
      step("verify_checksum", { path: `/reels/${at + 1}.dpx` }, JSON.stringify(at === 4 ? exception : { match: true })),
    );

    expect(seenStepsOf(steps.flat(), seen).some(({ isNo }) => isNo)).toBe(false);
  });

  it("is a short answer that several calls got from a tool which otherwise says more", () => {
    const ask = (id: number, output: string) => step("get_member", { id }, output);
    const steps = seenStepsOf(
      [...ask(0, PAGE), ...[1, 2, 3, 4, 5].flatMap((id) => ask(id, "Das gibt es hier nicht."))],
      seen,
    );

    expect(steps.at(-1)!.isNo).toBe(true);
    expect(steps[0]!.isNo).toBe(false);
  });

  it("is not what an act is acknowledged with", () => {
    const steps = seenStepsOf(
      [1, 2, 3, 4, 5, 6].flatMap((id) => step("insert_row", { id }, "ok")),
      seen,
    );

    expect(steps.some(({ isNo }) => isNo)).toBe(false);
  });
});
