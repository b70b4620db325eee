import { describe, expect, it } from "vitest";
import { call, decisionsOf, newRun, result, step, times, user } from "../../../../../test/builders.ts";
import { isNamed } from "./request.ts";

describe("an order", () => {
  const firstTold = (request: string, calls: Parameters<typeof times>[1]) =>
    decisionsOf([user(request), ...times(60, calls)])[0]?.at ?? Infinity;
  const read = step("read_file", { path: "src/parser.ts" }, "export const parser = 1;\nexport const tree = 2;\n");
  const depth = step("get_queue_depth", { queue: "parser" }, "The queue holds 3 jobs, all of them of yesterday.");

  it.each([
    "Fix the parser. Make sure every test passes.",
    "Fix the parser. The client should retry 50 times.",
    "Fix the parser. A load test with 100 runs found it.",
    "Fix the parser and tell me when you are done.",
    "Run the load test 50 times, and fix what it finds.",
  ])("changes nothing about a file that is read again: %s", (request) => {
    expect(firstTold(request, read)).toBe(firstTold("Fix the parser.", read));
  });

  it.each(["Check the queue 12 times.", "Check the queue until it is empty.", "Watch the queue for ten minutes."])(
    "lets a call be made again that it is about: %s",
    (request) => {
      expect(firstTold(request, depth)).toBeGreaterThan(firstTold("How deep is the queue?", depth) + 4);
    },
  );

  it("must name the call in a long request", () => {
    const filler = "Some words that ask for nothing. ".repeat(30);
    const none = firstTold("How deep is it?", depth);

    expect(firstTold(`${filler}Check the pressure until it drops.`, depth)).toBeLessThanOrEqual(none + 2);
    expect(firstTold(`${filler}Check the queue until it is empty.`, depth)).toBeGreaterThan(none + 4);
  });

  it("outlives a word to go on", () => {
    const series = [...times(6, depth), user("Go on."), ...times(6, depth)];

    expect(decisionsOf([user("Read the depth of the queue 12 times."), ...series])).toEqual([]);
  });
});

describe("what was asked for", () => {
  const look = step("get_temperature", { room: 3 }, "The room is at 21 degrees, and all windows are shut tonight.");

  it("is no loop as far as it was asked for", () => {
    const firstTold = (request: string) => decisionsOf([user(request), ...times(40, look)])[0]?.at ?? Infinity;

    expect(firstTold("Read the temperature 12 times.")).toBeGreaterThan(2 * 12);
    expect(firstTold("Read the temperature 12 times.")).toBeLessThan(Infinity);
    expect(firstTold("Read the temperature.")).toBeLessThan(2 * 12);
  });

  it("may be asked for once more", () => {
    const request = user("Read the temperature 8 times, please.");
    const read = (count: number) => [request, ...times(count, look)];

    expect(decisionsOf([...read(8), ...read(8)])).toEqual([]);
    expect(decisionsOf([...read(8), ...read(40)])).not.toEqual([]);
  });
});

describe("the user's words", () => {
  const look = [call("read_file", { path: "a.ts" }), result("export const a = 1;")];
  const kinds = (...texts: string[]) => {
    const run = newRun();
    return texts.map((text) => {
      const { kind } = run.take(user(text));
      for (const event of look) run.take(event);
      return kind;
    });
  };

  it("are the user's, also when they are short and come again", () => {
    expect(kinds("Go on.", "Go on.", "Yes.", "Yes.")).toEqual(["user", "user", "user", "user"]);
  });

  it("are a harness's when a longer text comes again after calls", () => {
    expect(
      kinds("Please continue with the task until it is done.", "Please continue with the task until it is done."),
    ).toEqual(["user", "nothing"]);
  });

  it("are a harness's when a few words come again for the third time", () => {
    expect(kinds("Continue.", "Continue.", "Continue.")).toEqual(["user", "user", "nothing"]);
  });

  it("name what may be worked through", () => {
    const { state, take } = newRun();
    take(user("Look up Ada, Grace and Barbara."));

    expect([isNamed(state, "Ada"), isNamed(state, "Grace"), isNamed(state, "Alan")]).toEqual([true, true, false]);
    expect(isNamed(state, "Ada and Grace and Barbara and others")).toBe(false);
  });
});
