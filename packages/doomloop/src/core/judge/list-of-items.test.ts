import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { call, failure, judgedBy, newRun, result } from "../../../../../test/builders.ts";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import type { ResultEvent } from "../event.ts";
import { isListOfItems } from "./list-of-items.ts";

const PARTS = [
  "KX-771",
  "QP-204",
  "ZZ-918",
  "LM-663",
  "RB-150",
  "TT-042",
  "HV-377",
  "WA-816",
  "EE-501",
  "OS-288",
  "NB-119",
];

/** Whether calls that all came to one thing, taken together, are a list. */
function isList(calls: readonly object[], output: ResultEvent, tool = "get_part"): boolean {
  return isListOfItems(
    judgedBy(
      newRun({ progress: { seesResults: true } }),
      calls.flatMap((args) => [call(tool, args), output]),
    ).map(({ step }) => step),
  );
}

const of = (field: string, names: readonly string[]) => names.map((name) => ({ [field]: name }));
const NOT_FOUND = failure("Error: there is no such part");

describe("isListOfItems", () => {
  it.each<[string, object[]]>([
    ["part numbers", of("number", PARTS)],
    [
      "different names in a sentence",
      ["anna", "bert", "carl", "dora"].map((name) => ({ query: `mail of ${name} please` })),
    ],
    ["a name and the number that goes with it", PARTS.map((number, at) => ({ number, shelf: at + 4 }))],
  ])("is so of %s that are not found", (_what, calls) => {
    expect(isList(calls, NOT_FOUND)).toBe(true);
  });

  it.each<[string, object[]]>([
    ["guesses at one name", of("name", ["fetchUser", "fetch_user", "getUser", "user", "loadUser", "findUser"])],
    [
      "one question in other words",
      of("query", ["retry limit", "limit of retries", "how often do we retry", "retries"]),
    ],
    ["one thing over and over", of("number", ["KX-771", "KX-771", "KX-771", "KX-771"])],
    ["things that have nothing in common", of("query", ["red moon", "a", "the price of fish in June", "zlib"])],
  ])("is not so of %s", (_what, calls) => {
    expect(isList(calls, NOT_FOUND)).toBe(false);
  });

  it("is so of what is looked up at length, and of what is changed in a word", () => {
    const asked = PARTS.map((part) => ({
      question: `Would you please tell me what the price of part ${part} is today`,
    }));

    expect(isList(asked, NOT_FOUND)).toBe(true);
    expect(isList(of("number", PARTS), NOT_FOUND, "delete_part")).toBe(true);
  });

  it("is not so of items that all meet a closed door", () => {
    expect(isList(of("number", PARTS), failure("403 Forbidden"))).toBe(false);
    expect(isList(of("number", PARTS), failure("404 Not Found"))).toBe(true);
  });

  it("is so of a dozen items and more", () => {
    expect(isList(of("number", [...PARTS, "DJ-430"]), NOT_FOUND)).toBe(true);
  });

  it("is not so of long texts that are written with other numbers", () => {
    const patch = (line: number) => ({
      patch: `@@ line ${line} @@ replace the old total by the new total of the order\n`,
    });

    expect(isList([12, 13, 14, 15].map(patch), NOT_FOUND, "apply_patch")).toBe(false);
    expect(isList([12, 13, 14, 15].map(patch), NOT_FOUND, "get_patch")).toBe(false);
  });

  it.each([
    ["some names in common", ["users_old", "orders_old", "users_new", "orders_new"]],
    ["one name in common", ["web-1", "web-2", "web-3", "web-4"]],
  ])("takes names with %s for items where they succeed, and for guesses where they fail", (_what, names) => {
    expect(isList(of("table", names), result("3 columns"), "describe")).toBe(true);
    expect(isList(of("table", names), NOT_FOUND, "describe")).toBe(false);
  });

  it("is not so where calls are too long ago to compare", () => {
    const events = Array.from({ length: 40 }, (_, at) => [call("get_part", { number: `KX-${at}` }), NOT_FOUND]).flat();
    const steps = judgedBy(newRun({ progress: { seesResults: true } }), events).map(({ step }) => step);
    const isListAt = (indices: readonly number[]) => isListOfItems(indices.map((index) => steps[index]!));

    expect(isListAt([0, 1, 38, 39])).toBe(false);
    expect(isListAt([36, 37, 38, 39])).toBe(true);
  });

  it("is so of any few different numbers in one place, in whatever order", () => {
    const numbers = fc.uniqueArray(fc.integer({ min: 100, max: 99_999 }), { minLength: 3, maxLength: 11 });
    const property = fc.property(numbers, (list) => {
      expect(
        isList(
          list.map((number) => ({ number: `no ${number}` })),
          NOT_FOUND,
        ),
      ).toBe(true);
    });
    fc.assert(property, { numRuns: Math.ceil(propertyRuns() / 10) });
  });
});
