import { describe, expect, it } from "vitest";
import {
  call,
  failure,
  judgedBy,
  latestIn,
  newRun,
  type RunSettings,
  result,
  round,
  step,
  times,
  user,
} from "../../../../../test/builders.ts";
import type { AgentEvent } from "../event.ts";
import { resolveProgress } from "../progress/progress-options.ts";
import { hasOthers } from "./find-known.ts";

const rules = { progress: resolveProgress(), rule: {} };

const look = step("read_file", { path: "a.ts" }, "export const a = 1;");
const other = (at: number): AgentEvent[] =>
  step("read_file", { path: `other-${at}.ts` }, `something else: ${"o".repeat(at)}`);
/** What one call comes back with, at some length. */
const say = (words: string): AgentEvent[] =>
  step(
    "read_file",
    { path: "a.ts" },
    `${words}, word for word, and at such length that it is no reading, no vote and no throw of dice`,
  );
const failing = [call("bash", { command: "make" }), failure("make: *** No rule to make target 'all'.")];
const edit = (at: number): AgentEvent[] =>
  step("edit_file", { path: "b.ts", old_string: `${at}`, new_string: `${at + 1}` }, "done");
const countOf = (events: readonly AgentEvent[], settings: RunSettings = {}): number =>
  latestIn(events, settings).exact.count;

describe("a call with an outcome", () => {
  it("is counted from its first occurrence on", () => {
    expect([1, 2, 3, 20].map((count) => countOf(times(count, look)))).toEqual([1, 2, 3, 20]);
    expect(latestIn(times(3, look)).exact.indices).toEqual([0, 1, 2]);
    expect(latestIn(times(20, look)).exact.indices).toHaveLength(8);
  });

  it("is counted once a round", () => {
    expect(countOf([round, ...times(5, look)])).toBe(1);
    expect(latestIn([round, ...times(5, look)]).isSameRoundDuplicate).toBe(true);
    expect(countOf(times(3, [round, ...times(5, look)]))).toBe(3);
  });

  it("is passed over with its twin where news lies between, lap after lap", () => {
    const twice = [round, ...say("the same"), ...say("the same")];
    const lap = (at: number): AgentEvent[] => [...twice, round, ...other(at)];

    expect(countOf([...lap(1), ...lap(2), ...lap(3), ...twice])).toBe(1);
  });

  it("is counted once a round, in whatever order the results of two rounds come", () => {
    const ids = ["one", "two", "three", "four"];
    const calls = ids.map((id) => call("list_files", { path: "src" }, { id }));
    const results = (order: readonly number[]) => order.map((at) => result("an empty list", { id: ids[at] }));
    const mixed = (order: readonly number[]) => [
      round,
      ...calls.slice(0, 2),
      round,
      ...calls.slice(2),
      ...results(order),
    ];

    expect(
      [
        [0, 1, 2, 3],
        [0, 2, 1, 3],
        [2, 0, 3, 1],
        [3, 2, 1, 0],
      ].map((order) => countOf(mixed(order))),
    ).toEqual([2, 2, 2, 2]);
  });

  it("starts again with another outcome, and goes on with an earlier one once that is no longer news", () => {
    expect(countOf(["one", "one", "two"].flatMap(say))).toBe(1);
    expect(latestIn(["one", "one", "two", "one"].flatMap(say)).exact).toMatchObject({
      count: 2,
      reason: "news-in-lap",
    });
    expect(countOf(["one", "one", "two", "one", "one"].flatMap(say))).toBe(3);
  });

  it("is remembered with a few outcomes, not with many", () => {
    const settings: RunSettings = { progress: { news: false } };

    expect(countOf(["one", "two", "one"].flatMap(say), settings)).toBe(2);
    expect(countOf(["one", "two", "three", "one"].flatMap(say), settings)).toBe(2);
    expect(countOf(["one", "two", "three", "four", "one"].flatMap(say), settings)).toBe(1);
  });

  it("tells whether it came back with something else, too, in this state of the world", () => {
    const cameBackOtherwise = (events: readonly AgentEvent[]): boolean => {
      const run = newRun({ progress: { seesResults: true } });
      const { step: latest, exact } = judgedBy(run, events).at(-1)!;
      const situation = { state: run.state, step: latest, rules, outcome: undefined, blindness: "none" } as const;
      return hasOthers(run.state.byCall.get(latest.call)!, exact.known!, situation);
    };

    expect(cameBackOtherwise(["one", "one"].flatMap(say))).toBe(false);
    expect(cameBackOtherwise(["one", "two", "one"].flatMap(say))).toBe(true);
    expect(cameBackOtherwise([...["one", "two"].flatMap(say), user("go on"), ...["one", "one"].flatMap(say)])).toBe(
      false,
    );
  });

  it("tells a failure from a success in the same words", () => {
    expect(countOf([call("run_it"), failure("hm"), call("run_it"), failure("hm"), call("run_it"), result("hm")])).toBe(
      1,
    );
  });
});

describe("the count starts over", () => {
  it("after a change of the world", () => {
    expect(countOf([...times(2, look), ...edit(1), ...look])).toBe(1);
    expect(latestIn([...times(2, look), ...edit(1), ...look]).exact.reason).toBe("changed-world");
    expect(countOf([...times(2, look), ...edit(1), ...look], { progress: { worldChange: false, news: false } })).toBe(
      3,
    );
  });

  it("after a word of the user", () => {
    expect(countOf([...times(2, look), user("and now?"), ...look])).toBe(1);
    expect(latestIn([...times(2, look), user("and now?"), ...look]).exact.reason).toBe("user-spoke");
    expect(countOf([...times(2, look), user("and now?"), ...look], { progress: { userTurn: false } })).toBe(3);
  });

  it("for a look that comes after news twice in a row, and waits where it did once", () => {
    const same = say("the same");
    const lap = (at: number): AgentEvent[] => [...other(at), ...same];

    expect(countOf([...times(3, same), ...lap(1)])).toBe(3);
    expect(countOf([...times(3, same), ...lap(1), ...same])).toBe(4);
    expect(countOf([...times(3, same), ...lap(1), ...lap(2)])).toBe(1);
    expect(countOf([...times(3, same), ...lap(1), ...lap(2)], { progress: { news: false } })).toBe(5);
  });

  it("for a look that says hardly anything, and comes after news once", () => {
    expect(countOf([...times(3, look), ...other(1), ...look])).toBe(1);
  });

  it("never for a failure, however much was looked at in between", () => {
    const between = Array.from({ length: 30 }, (_, at) => other(at)).flat();

    expect(countOf([...times(2, failing), ...between, ...failing])).toBe(3);
  });
});

describe("the count goes on", () => {
  it("after an edit that only undoes another, or was made before", () => {
    const swing = step("edit_file", { path: "b.ts", old_string: "y", new_string: "x" }, "done");
    const there = step("edit_file", { path: "b.ts", old_string: "x", new_string: "y" }, "done");

    expect(countOf([...there, ...times(2, look), ...swing, ...look])).toBe(3);
    expect(countOf([...there, ...times(2, look), ...there, ...look])).toBe(3);
  });

  it("after an edit that failed", () => {
    const failed = [call("edit_file", { path: "b.ts", old_string: "no", new_string: "x" }), failure("not found")];

    expect(countOf([...times(2, look), ...failed, ...look])).toBe(3);
  });

  it("over a compaction, but for the first look after it", () => {
    expect(countOf([...times(2, look), { type: "compaction" }, ...look])).toBe(2);
    expect(countOf([...times(2, look), { type: "compaction" }, ...times(2, look)])).toBe(3);
  });

  it("over refusals, which count towards it", () => {
    const refused = [call("read_file", { path: "a.ts" }), result("no", { synthetic: true })];

    expect(countOf([...times(2, look), ...refused])).toBe(3);
    expect(latestIn(refused).isNew).toBe(false);
  });
});

describe("how much alike the outcomes are", () => {
  const at = (clock: string): AgentEvent[] => step("read_file", { path: "state" }, `all is well at ${clock}`);

  it("is the weakest likeness among them", () => {
    expect(latestIn(times(3, look)).exact.strength).toBe("exact");
    expect(latestIn(["12:00:01", "12:00:02"].flatMap(at)).exact).toMatchObject({ strength: "masked", count: 2 });
    expect(latestIn(["12:00:01", "12:00:02", "12:00:01"].flatMap(at)).exact.strength).toBe("masked");
  });

  it("is equality alone where only the beginning is compared", () => {
    expect(countOf(["12:00:01", "12:00:02"].flatMap(at), { progress: { comparedCharacters: 100 } })).toBe(1);
    expect(countOf(["12:00:01", "12:00:02"].flatMap(at), { progress: { comparedCharacters: 11 } })).toBe(2);
  });
});

describe("an answer that repeats words of its question", () => {
  const report = (args: object, line: string): AgentEvent[] =>
    step("get_report", args, `Report of all the services that were asked for on this day\n${line}\nEnd of the report`);

  it("is another where it says another of the words that it was asked about", () => {
    const asked = (state: string) =>
      report({ service: "mail", states: "up, down" }, `the service mail is ${state} now`);

    expect(countOf(["up", "up"].flatMap(asked))).toBe(2);
    expect(countOf(["up", "down"].flatMap(asked))).toBe(1);
  });
});

describe("calls that are the same in substance", () => {
  it("are counted together", () => {
    const reads = [
      ...step("read_file", { path: "a.ts" }, "the same words"),
      ...step("view", { file_path: "./a.ts" }, "the same words"),
      ...step("get_file", { path: "a.ts", encoding: "utf8" }, "the same words"),
    ];

    expect(latestIn(reads)).toMatchObject({ exact: { count: 1 }, fuzzy: { count: 3 } });
  });
});

describe("a run", () => {
  it("remembers the latest calls, not all", () => {
    const many = (count: number): AgentEvent[] => Array.from({ length: count }, (_, at) => other(at)).flat();
    const settings: RunSettings = { progress: { news: false } };

    expect(countOf([...look, ...many(40), ...look], settings)).toBe(2);
    expect(countOf([...look, ...many(400), ...look], settings)).toBe(1);
  });
});
