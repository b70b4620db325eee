import { describe, expect, it } from "vitest";
import { call, decisionsOf, newRun, result, step, times, user } from "../../../../../test/builders.ts";
import { isNamed, wantedIn } from "./request.ts";

describe("wantedIn", () => {
  it.each([
    ["Look at it 12 times.", 12],
    ["Take 25 readings of the boiler.", 25],
    ["Throw the die five times.", 5],
    ["Run it 3x", 3],
    ["Try it 999 times.", 100],
    ["Fix the bug in line 12.", 0],
    ["", 0],
  ])("hears how often in %j: %i", (text, count) => {
    expect(wantedIn(text).times).toBe(count);
  });

  it.each([
    ["Scan all 24 bottles.", 24],
    ["Ring up 24 bottles of water.", 24],
    ["Fix the bug in line 12.", 0],
  ])("hears how many things there are in %j: %i", (text, count) => {
    expect(wantedIn(text).items).toBe(count);
  });

  it.each([
    "Wait until it is done.",
    "Keep an eye on the log.",
    "Check it every five minutes.",
    "Tell me when it is up.",
  ])("hears a series in %j", (text) => {
    expect(wantedIn(text).isSeries).toBe(true);
  });

  it.each(["Fix the login.", "What did Ada order?", ""])("hears no series in %j", (text) => {
    expect(wantedIn(text).isSeries).toBe(false);
  });

  it("reads the beginning and the end of a long request", () => {
    const filler = "Some words that ask for nothing. ".repeat(300);

    expect(wantedIn(`${filler}Do it 7 times.`).times).toBe(7);
    expect(wantedIn(`Do it 7 times. ${filler}`).times).toBe(7);
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
    expect(kinds("Go on.", "Go on.", "Yes.", "Go on.")).toEqual(["user", "user", "user", "user"]);
  });

  it("are a harness's when a longer text comes again after calls", () => {
    expect(
      kinds("Please continue with the task until it is done.", "Please continue with the task until it is done."),
    ).toEqual(["user", "nothing"]);
  });

  it("name what may be worked through", () => {
    const { state, take } = newRun();
    take(user("Look up Ada, Grace and Barbara."));

    expect([isNamed(state, "Ada"), isNamed(state, "Grace"), isNamed(state, "Alan")]).toEqual([true, true, false]);
    expect(isNamed(state, "Ada and Grace and Barbara and others")).toBe(false);
  });
});
