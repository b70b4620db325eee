import { describe, expect, it } from "vitest";
import { platform } from "../../platform.ts";
import type { ResultEvent } from "../event.ts";
import { readOutcome, readText, saysIsError } from "./read-outcome.ts";

const read = (output: unknown, more: Partial<ResultEvent> = {}) =>
  readOutcome({ type: "result", output, ...more }, platform);
/** What two outcomes are compared by. */
const compared = (output: unknown, more: Partial<ResultEvent> = {}) => {
  const { digest, text, isComparable } = read(output, more);
  return isComparable ? (digest ?? text) : Symbol("equal to nothing");
};

describe("readOutcome", () => {
  it("tells apart what says something else", () => {
    const outputs = ["a", "b", "", { a: 1 }, { a: 2 }, { b: 1 }, ["c", "d"], 1, new Map([["e", 1]])];

    for (const output of outputs) expect(compared(output)).toBe(compared(output));
    expect(new Set(outputs.map((output) => compared(output))).size).toBe(outputs.length);
  });

  it("tells apart values of which only the beginning is read", () => {
    const list = (last: number) => [...Array(2_000).fill(1), last];
    const bytes = (last: number) => Uint8Array.from(list(last));

    expect(compared(list(1))).toBe(compared(list(1)));
    expect(compared(list(1))).not.toBe(compared(list(2)));
    expect(compared(bytes(1))).toBe(compared(bytes(1)));
    expect(compared(bytes(1))).not.toBe(compared(bytes(2)));
    expect(compared({ a: "x".repeat(9_000), b: 1 })).not.toBe(compared({ a: "x".repeat(9_000), b: 2 }));
  });

  it("masks ids and clocks of a value of many parts as it does in a text", () => {
    const listed = (id: string, at: number, state = "open") => ({
      ...{ request_id: id, fetched_at: new Date(1.77e12 + at * 7000).toISOString() },
      rows: Array.from({ length: 600 }, (_, row) => ({ row, state: row === 500 ? state : "open" })),
    });
    const one = listed("3f2504e0-4f89-41d3-9a0c-0305e82c3301", 1);

    expect(read(one).digest).toBe(read(listed("77a1f0e0-4f89-41d3-9a0c-0305e82c3302", 2)).digest);
    expect(read(one).digest).not.toBe(read(listed("3f2504e0-4f89-41d3-9a0c-0305e82c3301", 1, "done")).digest);
  });

  it("goes by a given digest and length where the output was cut", () => {
    expect(compared("the beginn", { digest: "d1" })).toBe(compared("the begin", { digest: "d1" }));
    expect(compared("the begin", { digest: "d1" })).not.toBe(compared("the begin", { digest: "d2" }));
    expect(read("the begin", { length: 9000 }).length).toBe(9000);
    expect(read("the begin", { length: -1 }).length).toBe(9);
  });

  it.each<[string, unknown]>([
    ["a symbol", Symbol("s")],
    ["a promise", Promise.resolve(1)],
    ["a proxy", new Proxy({}, {})],
    ["a value that holds itself", cyclic()],
    ["fields without end", Object.fromEntries(Array.from({ length: 30_001 }, (_, at) => [`f${at}`, at]))],
  ])("does not compare %s", (_, output) => {
    expect(read({ output }).isComparable).toBe(false);
  });

  it("hears of a failure from the flag, or from the output itself", () => {
    expect(read("fine", { error: true }).error).toBe(true);
    expect(read({ isError: true, content: [] }).error).toBe(true);
    expect(read({ isError: true, content: [] }, { error: false }).error).toBe(false);
    expect(read("Error: no such file").error).toBeUndefined();
  });

  it("leaves our own words behind a result out", () => {
    expect(compared("text\n\n[doomloop] This exact call failed 3 times.")).toBe(compared("text"));
    expect(compared("text about [doomloop] itself")).not.toBe(compared("text about "));
  });

  it("leaves our own words out of a list of content parts", () => {
    const words = { type: "text", text: "[doomloop] This exact call failed 3 times." };
    const image = { type: "image", data: "a" };

    expect(compared([image, words])).toBe(compared([image]));
    expect(compared([image, words, { ...words, cache_control: { type: "ephemeral" } }])).toBe(compared([image]));
    expect(compared([words, image])).not.toBe(compared([image]));
    expect(read([words]).text).toBe(words.text);
  });

  it("takes a text for the same as a list that holds nothing else, with our words or without", () => {
    const json = '{"orders":[]}';
    const inParts = [{ type: "input_text", text: json }];
    const words = { type: "input_text", text: "[doomloop] This exact call failed 3 times." };

    expect([compared(inParts), compared([...inParts, words])]).toEqual(Array(2).fill(compared(json)));
    expect(read([...inParts, words]).text).toBe(json);
    expect(compared([{ ...inParts[0], citations: ["a"] }])).not.toBe(compared(json));
  });

  it("reads no part that may be a trap", () => {
    const trap = Object.defineProperty({ type: "text" }, "text", { get: () => expect.unreachable(), enumerable: true });

    expect(() => read([{ type: "image" }, trap])).not.toThrow();
  });
});

describe("the text of an output", () => {
  const textOf = (output: unknown) => readText(output, platform).text;

  it.each([
    ["text", "text"],
    [undefined, ""],
    [null, ""],
    [42, "42"],
    [["a", ["b"]], "a\nb"],
    [{ one: "a", two: { three: "b" } }, "one: a\nthree: b"],
    [{ content: [{ type: "text", text: "words" }] }, "type: text\ntext: words"],
    [{ list: ["a", "b"] }, "a\nb"],
    [{ count: 3, state: "up" }, "count: 3\nstate: up"],
    [{ failed: 0, error: null, warning: "" }, "0\nnull\n"],
    [{ ["n".repeat(65)]: "a" }, "a"],
    [new Error("no"), "no"],
  ])("of %j is %j", (output, text) => {
    expect(textOf(output)).toBe(text);
  });

  it("reads neither getters nor proxies", () => {
    const told: string[] = [];
    const proxy = new Proxy({}, { ownKeys: () => Array(told.push("trap")) });

    expect(
      textOf({
        get a() {
          told.push("getter");
          return 1;
        },
        proxy,
        b: "b",
      }),
    ).toBe("b: b");
    expect(told).toEqual([]);
  });

  it.each<[string, unknown]>([
    ["many fields", Object.fromEntries(Array.from({ length: 30_001 }, (_, at) => [`f${at}`, "word"]))],
    ["many bytes", new Uint8Array(5_000_000)],
    ["many numbers", new Float64Array(5_000_000)],
    ["a long integer", 1n << 1_000_000n],
    ["a long list without items", new Array(4_000_000_000)],
  ])("reads nothing of %s", (_, output) => {
    expect(textOf({ output })).toBe("");
  });

  it("is bounded", () => {
    expect(textOf(Array(100_000).fill("word")).length).toBeLessThan(10_000);
    expect(textOf({ a: "x".repeat(100_000) }).length).toBeLessThan(4200);
  });

  it("ends on a value that holds itself", () => {
    const value: { self?: unknown; text: string } = { text: "words" };
    value.self = value;

    expect(textOf(value)).toContain("words");
  });
});

describe("saysIsError", () => {
  it("is what an own field says", () => {
    expect(saysIsError({ isError: true }, platform)).toBe(true);
    expect(saysIsError({ isError: "true" }, platform)).toBe(false);
    expect(saysIsError(Object.create({ isError: true }), platform)).toBe(false);
    expect(saysIsError("isError", platform)).toBe(false);
  });
});

function cyclic(): object {
  const value: { self?: unknown } = {};
  value.self = value;
  return value;
}
