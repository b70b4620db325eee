import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { platform } from "../../platform.ts";
import { type ArgumentWords, wordsOf } from "./argument-words.ts";
import { callIdentity } from "./call-identity.ts";
import {
  areRewordings,
  coversNewGround,
  differInNumbers,
  resembleEachOther,
  sharesValue,
  similarityOf,
  type Variation,
  variationOf,
} from "./compare-arguments.ts";

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

const wordsLikeness = (args: unknown): ArgumentWords => wordsOf(callIdentity("tool", args, platform)!.args);
const similarity = (one: unknown, other: unknown): number => similarityOf(wordsLikeness(one), wordsLikeness(other));
const question = "how does the scheduler decide which job to run next when all are due?";

describe("similarityOf", () => {
  it("is 1 for equal arguments, in any order", () => {
    expect(similarity({ a: 1, b: "text" }, { b: "text", a: 1 })).toBe(1);
    expect(similarity({}, {})).toBe(1);
    expect(similarity(question, question)).toBe(1);
  });

  it("is high for a question in nearly the same words", () => {
    expect(similarity({ query: question }, { query: `${question} please` })).toBeGreaterThan(0.8);
    expect(similarity({ query: `${question} (1)` }, { query: `${question} (27)` })).toBeGreaterThan(0.9);
  });

  it("is low for another question", () => {
    expect(
      similarity({ query: question }, { query: "list all users that signed up during the last week" }),
    ).toBeLessThan(0.4);
  });

  it("is the mean over the fields of both", () => {
    expect(similarity({ a: "same text", b: "x1" }, { a: "same text" })).toBe(0.5);
    expect(similarity({ a: "same text" }, { b: "same text" })).toBe(0);
  });

  it("takes another element for another thing, though its name differs in a digit only", () => {
    expect(similarity({ element: "a324" }, { element: "a325" })).toBe(0);
  });

  it("takes another number for another thing", () => {
    expect(similarity({ id: 12_345 }, { id: 12_346 })).toBe(0);
    expect(similarity({ id: "12345" }, { id: "12346" })).toBe(0);
  });

  it("is the same both ways", () => {
    const [one, other] = [wordsLikeness({ query: question, a: 1 }), wordsLikeness({ query: `${question}!`, b: 2 })];

    expect(similarityOf(one, other)).toBe(similarityOf(other, one));
  });

  it("is high for other forms of the same words", () => {
    expect(similarity({ query: "Search limits of users" }, { query: "searching: limit of user" })).toBeGreaterThan(0.7);
  });

  it("goes by how often a word is there", () => {
    expect(similarity({ query: "one two" }, { query: "one one one one" })).toBeLessThan(0.4);
  });

  it("looks at a few fields, and at what is kept of them", () => {
    const first = { a: "one", b: "two", c: "three", d: "four" };

    expect(similarity({ ...first, e: "five" }, { ...first, e: "six" })).toBe(1);
    expect(similarity({ text: `${"x ".repeat(2000)}a` }, { text: `${"x ".repeat(2000)}b` })).toBe(1);
  });
});

describe("coversNewGround", () => {
  it.each([
    [
      { path: "a", offset: 0 },
      { path: "a", offset: 100 },
    ],
    [
      { path: "a", page: 1 },
      { path: "a", page: 2 },
    ],
    [
      { path: "a", cursor: "x" },
      { path: "a", cursor: "y" },
    ],
    [
      { path: "a", view_range: [1, 9] },
      { path: "a", view_range: [10, 19] },
    ],
    [{ path: "a", offset: 5 }, { path: "a" }],
  ])("is so between %j and %j", (one, other) => {
    expect(coversNewGround(wordsLikeness(one), wordsLikeness(other))).toBe(true);
  });

  it.each([
    [
      { path: "a", offset: 0 },
      { path: "a", offset: 0 },
    ],
    [{ path: "a" }, { path: "b" }],
    [{ query: "a" }, { query: "b" }],
    [{}, {}],
  ])("is not so between %j and %j", (one, other) => {
    expect(coversNewGround(wordsLikeness(one), wordsLikeness(other))).toBe(false);
  });
});

describe("sharesValue", () => {
  it("is so where a field of the same name holds the same", () => {
    expect(sharesValue(wordsLikeness({ a: "one", b: 2 }), wordsLikeness({ a: "other", b: 2 }))).toBe(true);
    expect(sharesValue(wordsLikeness({ a: "one" }), wordsLikeness({ b: "one" }))).toBe(false);
    expect(sharesValue(wordsLikeness({ a: 1 }), wordsLikeness({ a: 2 }))).toBe(false);
    expect(sharesValue(wordsLikeness({}), wordsLikeness({}))).toBe(false);
  });
});

describe("differInNumbers", () => {
  it.each([
    [{ text: "take 3 of them" }, { text: "take 4 of them" }, true],
    [{ name: "a", size: 3 }, { name: "a", size: 4 }, true],
    [{ text: "take 3 of them" }, { text: "take 3 of them" }, false],
    [{ text: "take 3 of them" }, { text: "take 4 of these" }, false],
    [{ text: "take 3 of them" }, { text: "take 4" }, false],
    [{ text: "web-3" }, { text: "web-4" }, false],
  ])("between %j and %j is %s", (one, other, expected) => {
    expect(differInNumbers(wordsLikeness(one), wordsLikeness(other))).toBe(expected);
  });
});
