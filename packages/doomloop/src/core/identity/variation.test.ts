import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { platform } from "../../platform.ts";
import { type ArgumentWords, wordsOf } from "./argument-words.ts";
import { callIdentity } from "./call-identity.ts";
import { areRewordings, resembleEachOther, type Variation, variationOf } from "./variation.ts";

function words(args: unknown): ArgumentWords {
  return wordsOf(callIdentity("tool", args, platform)!.args);
}

const all = (texts: readonly string[]) => texts.map((text) => words({ text }));
const variation = (...texts: string[]) => variationOf(all(texts));

const LONG =
  "select the name and the price of every product in the catalogue where the price is above the mean and the stock is low";

describe("variationOf", () => {
  it.each<[Variation, string[]]>([
    ["none", ["where is the limit", "Where is the LIMIT?", "where is the limit"]],
    ["list", ["KX-771", "QP-204", "ZZ-918", "LM-663"]],
    ["list", ["mail of anna", "mail of bert", "mail of carl"]],
    ["list", ["web-1", "web-2", "web-3", "web-4"]],
    ["list", ["old_users", "old_orders", "old_items", "old_parts"]],
    ["list", ["page anna 1", "page bert 2", "page carl 3"]],
    ["guesses", ["fetchUser", "fetch_users", "fetchUserById", "fetching"]],
    ["guesses", ["config_file", "configFiles", "config", "file_config"]],
    ["guesses", ["invoice", "invoices", "invoicing", "invoiced"]],
    ["list", ["4 7 19", "5 8 23", "6 9 31"]],
    ["guesses", ["water25", "welcome", "hw-22", "Water25!"]],
    ["rewording", ["retry limit", "limit of retries", "the retry limit of ours", "how often do we retry"]],
    ["rewording", ["one two three", "four five six"]],
    ["unrelated", ["red moon", "a", "the price of fish", "zlib"]],
  ])("is %s: %j", (expected, texts) => {
    expect(variation(...texts)).toBe(expected);
  });

  it("takes a long call with little of it changed for the same in another form", () => {
    expect(variation(LONG, `${LONG} now`, `${LONG} or so`)).toBe("rewording");
  });

  it("does not take the words that a long call is always made of for what it is about", () => {
    const made = (about: string) => `${LONG.split(" ").slice(0, 9).join(" ")} ${about}`;

    expect(
      variation(
        made("red moon over a quiet sea tonight we sail"),
        made("zlib"),
        made("fish market prices fell in June again"),
      ),
    ).toBe("unrelated");
  });

  it("takes what takes many words for one attempt with other numbers, not for an item", () => {
    expect(variation(`${LONG} 1`, `${LONG} 2`, `${LONG} 3`)).toBe("rewording");
  });

  it("does not see flags: calls that differ in nothing else do not differ", () => {
    expect(variationOf([{ a: "x" }, { a: "x", deep: true }, { a: "x", deep: false }].map(words))).toBe("none");
  });

  it("is none of no call, and of one", () => {
    expect(variationOf(all(["one two"]))).toBe("none");
  });

  it("does not depend on the order of the calls", () => {
    const word = fc.constantFrom(
      "fetch",
      "user",
      "users",
      "web-1",
      "web-2",
      "KX-771",
      "limit",
      "of",
      "retries",
      "moon",
    );
    const call = fc.array(word, { minLength: 1, maxLength: 5 }).map((list) => list.join(" "));
    const property = fc.property(fc.array(call, { minLength: 2, maxLength: 6 }), fc.nat(5), (calls, turn) => {
      const turned = [...calls.slice(turn % calls.length), ...calls.slice(0, turn % calls.length)];

      expect(variation(...turned)).toBe(variation(...calls));
      expect(variation(...calls.toReversed())).toBe(variation(...calls));
    });
    fc.assert(property, { numRuns: propertyRuns() });
  });

  it("is none exactly where the words are the same in the same order", () => {
    const call = fc.array(fc.constantFrom("one", "two", "KX-1"), { minLength: 1, maxLength: 3 });
    const property = fc.property(fc.array(call, { minLength: 2, maxLength: 4 }), (calls) => {
      const isSame = calls.every((words) => words.join() === calls[0]!.join());

      expect(variation(...calls.map((words) => words.join(" "))) === "none").toBe(isSame);
    });
    fc.assert(property, { numRuns: propertyRuns() });
  });
});

describe("resembleEachOther", () => {
  it.each<[boolean, string[]]>([
    [true, ["fetchUser", "getUser", "loadUser", "readFile"]],
    [true, ["users_old", "orders_old", "users_new", "orders_new"]],
    [false, ["anna", "bert", "carl", "dora"]],
    [false, ["KX-771", "QP-204", "ZZ-918"]],
    [false, ["fetchUser", "getUser", "readFile", "listParts", "openDoor"]],
  ])("is %j of %j", (expected, texts) => {
    expect(resembleEachOther(all(texts))).toBe(expected);
  });

  it("looks only at what varies: what all calls say is no resemblance", () => {
    expect(resembleEachOther(all(["mail of anna", "mail of bert", "mail of carl"]))).toBe(false);
  });
});

describe("areRewordings", () => {
  const THOUGHTS = [
    "The parser drops the last token, so I look at the loop in the lexer.",
    "I look at the lexer once more, because the last token is dropped by the parser.",
    "Because the parser drops a token, the loop in the lexer is where I look.",
    "So the last token is dropped, and I look at the loop of the lexer.",
    "The loop in the lexer drops the last token of the parser, I look there.",
  ];
  const REPORTS = [
    "Berlin is sunny and dry, with a light wind from the sea.",
    "Anna wrote that her train arrives late tonight.",
    "Bread, butter, milk and seven apples are on the list.",
    "The invoice of the plumber was paid on Monday by card, thanks.",
    "Our new neighbours play the piano beautifully.",
  ];

  it("is true of one thing said in other words, and not of many things", () => {
    expect(areRewordings(all(THOUGHTS))).toBe(true);
    expect(areRewordings(all(REPORTS))).toBe(false);
  });

  it("is not true of texts of one form, with something else in one place: that is a list", () => {
    const wishes = ["Anna", "Bert", "Carl", "Dora"].map((name) => `Dear ${name}, we wish you a happy new year.`);

    expect(areRewordings(all(wishes))).toBe(false);
  });

  it("does not take a frame that all texts share for what they say", () => {
    const framed = REPORTS.map(
      (text) => `Dear all of you, this is what I have to tell today: ${text} Yours, the agent`,
    );

    expect(areRewordings(all(framed))).toBe(false);
  });

  it("takes another number each time for news", () => {
    const priced = THOUGHTS.map((text, at) =>
      `${text} It took ${at + 7} seconds`.split(" ").toSpliced(2, 0, `${at}`).join(" "),
    );

    expect(areRewordings(all(priced))).toBe(false);
    expect(areRewordings(all(THOUGHTS.map((text) => `${text} Attempt 7`)))).toBe(true);
  });

  it("asks one field: where two vary, each call is about something else", () => {
    const about = (to: (at: number) => string) => THOUGHTS.map((text, at) => words({ text, to: to(at) }));

    expect(areRewordings(about(() => "anna"))).toBe(true);
    expect(areRewordings(about((at) => "abcde"[at]!))).toBe(false);
    expect(areRewordings([...all(THOUGHTS.slice(1)), words({ text: THOUGHTS[0], to: "anna" })])).toBe(false);
  });
});
