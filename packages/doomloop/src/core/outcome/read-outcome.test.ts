import { describe, expect, it } from "vitest";
import { platform } from "../../platform.ts";
import type { ResultEvent } from "../event.ts";
import { outputText, readOutcome, saysIsError } from "./read-outcome.ts";

const read = (output: unknown, more: Partial<ResultEvent> = {}, compared?: number) =>
  readOutcome({ type: "result", output, ...more }, platform, compared);

describe("readOutcome", () => {
  it("is equal for equal outputs only", () => {
    const outputs = ["a", "b", "", undefined, null, {}, [], { a: 1 }, ["a"], 1, "1"];

    for (const output of outputs) expect(read(output).digest).toBe(read(output).digest);
    expect(new Set(outputs.map((output) => read(output).digest)).size).toBe(outputs.length);
  });

  it("goes by a given digest and length where the output was cut", () => {
    expect(read("the beginn", { digest: "d1" }).digest).toBe(read("the begin", { digest: "d1" }).digest);
    expect(read("the begin", { digest: "d1" }).digest).not.toBe(read("the begin", { digest: "d2" }).digest);
    expect(read("the begin", { length: 9000 }).length).toBe(9000);
    expect(read("the begin", { length: -1 }).length).toBe(9);
  });

  it("compares only the beginning where that is asked for", () => {
    expect(read("abcdef", {}, 3).digest).toBe(read("abcxyz", {}, 3).digest);
    expect(read("abcdef", {}, 4).digest).not.toBe(read("abcxyz", {}, 4).digest);
  });

  it("does not compare what cannot be compared", () => {
    expect(read(() => 1).digest).toBeUndefined();
    expect(read("x".repeat(8_388_609)).digest).toBeUndefined();
    expect(read("x".repeat(8_388_608)).digest).toBeDefined();
  });

  it("reads failures from flags, values and words", () => {
    expect(read("fine", { error: true }).failure?.strength).toBe("told");
    expect(read({ isError: true, content: [] }).failure?.strength).toBe("told");
    expect(read({ content: [{ type: "text", text: "Error: no such file" }] }).failure?.strength).toBe("read");
    expect(read("fine").failure).toBeUndefined();
  });

  it("reads no failure in a stand-in", () => {
    expect(read("Error: refused", { synthetic: true })).toMatchObject({ isSynthetic: true, failure: undefined });
  });

  it("leaves our own words behind a result out", () => {
    expect(read("text\n\n[doomloop] You called it 3 times.").digest).toBe(read("text").digest);
    expect(read("text about [doomloop] itself").digest).not.toBe(read("text about ").digest);
  });

  it("leaves our own words out of a list of content parts", () => {
    const words = { type: "text", text: "[doomloop] You called it 3 times." };
    const image = { type: "image", data: "a" };

    expect(read([image, words]).digest).toBe(read([image]).digest);
    expect(read([image, words, { ...words, cache_control: { type: "ephemeral" } }]).digest).toBe(read([image]).digest);
    expect(read([words, image]).digest).not.toBe(read([image]).digest);
    expect(read([words]).text).toBe(words.text);
  });

  it("takes a text for the same as a list that holds nothing else, with our words or without", () => {
    const json = '{"orders":[]}';
    const inParts = [{ type: "input_text", text: json }];
    const words = { type: "input_text", text: "[doomloop] You called it 3 times." };

    expect([read(inParts), read([...inParts, words])].map(({ digest }) => digest)).toEqual(
      Array(2).fill(read(json).digest),
    );
    expect(read([...inParts, words]).text).toBe(json);
    expect(read([{ ...inParts[0], citations: ["a"] }]).digest).not.toBe(read(json).digest);
  });

  it("reads no part that may be a trap", () => {
    const trap = Object.defineProperty({ type: "text" }, "text", { get: () => expect.unreachable(), enumerable: true });

    expect(() => read([{ type: "image" }, trap])).not.toThrow();
  });
});

describe("an outcome", () => {
  it.each([
    ["", true],
    [" \n", true],
    ["x", true],
    ["ok", false],
    [undefined, true],
    [{}, true],
    ["<returncode>0</returncode>\n<output>\n</output>", true],
    ["<returncode>0</returncode>\n<output>\ndone\n</output>", false],
    ["<div>", true],
    ["<b>bold</b>", false],
  ])("of %j is empty: %s", (output, isEmpty) => {
    expect(read(output).isEmpty).toBe(isEmpty);
  });

  it.each([
    "",
    "[]",
    "null",
    "0 rows",
    "(0 rows)",
    "No matches found.",
    "exit code: 1",
    " no files here\n",
    "No free tables found.",
  ])("of %j says that there is nothing", (output) => {
    expect(read(output).isNothing).toBe(true);
  });

  it.each(["ok", "[1]", "10 rows", "nobody", "no way", "no, it was found"])("of %j says something", (output) => {
    expect(read(output).isNothing).toBe(false);
  });

  it("tells something from 200 characters on, or by failing", () => {
    expect(read("x".repeat(199)).isTelling).toBe(false);
    expect(read("x".repeat(200)).isTelling).toBe(true);
    expect(read("no", { error: true }).isTelling).toBe(true);
    expect(read("x", { length: 5000 }).isTelling).toBe(true);
  });
});

describe("outputText", () => {
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
    expect(outputText(output, platform)).toBe(text);
  });

  it("reads neither getters nor proxies", () => {
    const told: string[] = [];
    const proxy = new Proxy({}, { ownKeys: () => Array(told.push("trap")) });

    expect(
      outputText(
        {
          get a() {
            told.push("getter");
            return 1;
          },
          proxy,
          b: "b",
        },
        platform,
      ),
    ).toBe("b: b");
    expect(told).toEqual([]);
  });

  it("is bounded", () => {
    expect(outputText(Array(100_000).fill("word"), platform).length).toBeLessThan(10_000);
    expect(outputText({ a: "x".repeat(100_000) }, platform).length).toBeLessThan(4200);
  });

  it("ends on a value that holds itself", () => {
    const value: { self?: unknown; text: string } = { text: "words" };
    value.self = value;

    expect(outputText(value, platform)).toContain("words");
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
