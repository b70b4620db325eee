import { expect, it } from "vitest";
import { platform } from "../../platform.ts";
import type { ResultEvent } from "../event.ts";
import { HINTS } from "../hints/index.ts";
import { readResult, readText, saysIsError } from "./result.ts";

const read = (output: unknown, more: Partial<ResultEvent> = {}) =>
  readResult({ type: "result", output, ...more }, HINTS, platform);
/** What two results are compared by. */
const compared = (output: unknown, more: Partial<ResultEvent> = {}) => {
  const { rest, text, isComparable } = read(output, more);
  return isComparable ? JSON.stringify([rest, rest === 0 ? text : ""]) : Symbol("equal to nothing");
};
const textOf = (output: unknown) => readText(output, platform).text;
const OURS = "[doomloop] This exact call failed 3 times.";
const cyclic: { self?: unknown; text: string } = { text: "words" };
cyclic.self = cyclic;
const manyFields = Object.fromEntries(Array.from({ length: 30_001 }, (_, at) => [`f${at}`, "word"]));

it("tells apart what says something else", () => {
  const outputs = ["a", "b", "", { a: 1 }, { a: 2 }, { b: 1 }, ["c", "d"], 1, new Map([["e", 1]])];

  for (const output of outputs) expect(compared(output)).toBe(compared(output));
  expect(new Set(outputs.map((output) => compared(output))).size).toBe(outputs.length);
});

it.each<[string, (last: number) => unknown]>([
  ["a list", (last) => [...Array(2_000).fill(1), last]],
  ["bytes", (last) => Uint8Array.from([...Array(2_000).fill(1), last])],
  ["an object", (last) => ({ a: "x".repeat(9_000), b: last })],
  ["a text", (last) => `${"x".repeat(20_000)}${last}${"y".repeat(20_000)}`],
])("tells apart values of which only a part is read: %s", (_, made) => {
  expect(compared(made(1))).toBe(compared(made(1)));
  expect(compared(made(1))).not.toBe(compared(made(2)));
});

it("goes by a given digest and length where the output was cut", () => {
  expect(compared("the beginn", { digest: "d1" })).toBe(compared("the begin", { digest: "d1" }));
  expect(compared("the begin", { digest: "d1" })).not.toBe(compared("the begin", { digest: "d2" }));
  expect([9000, -1].map((length) => read("the begin", { length }).length)).toEqual([9000, 9]);
});

it("compares no symbol, promise, proxy, value that holds itself, and no fields without end", () => {
  for (const output of [Symbol("s"), Promise.resolve(1), new Proxy({}, {}), cyclic, manyFields])
    expect(read({ output }).isComparable).toBe(false);
});

it("hears of a failure from the flag, or from the output itself", () => {
  const own = { isError: true, content: [] };
  const given = [read("fine", { error: true }), read(own), read(own, { error: false }), read("Error: no such file")];

  expect(given.map(({ error }) => error)).toEqual([true, true, false, undefined]);
  for (const none of [{ isError: "true" }, Object.create(own), "isError"])
    expect(saysIsError(none, platform)).toBe(false);
});

it("leaves our own words out, of a text and of content parts", () => {
  const words = { type: "text", text: OURS };
  const [image, json] = [
    { type: "image", data: "a" },
    { type: "text", text: '{"orders":[]}' },
  ];

  expect(compared(`text\n\n${OURS}`)).toBe(compared("text"));
  expect(compared("text about [doomloop] itself")).not.toBe(compared("text about "));
  expect(compared([image, words, { ...words, cache_control: {} }])).toBe(compared([image]));
  expect(compared([words, image])).not.toBe(compared([image]));
  expect(read([words]).text).toBe(OURS);
  expect([compared([json]), compared([json, words])]).toEqual([compared(json.text), compared(json.text)]);
  expect(compared([{ ...json, citations: ["a"] }])).not.toBe(compared(json.text));
});

it("reads each value with its name, if that means anything", () => {
  const outputs = [
    undefined,
    42,
    ["a", ["b"]],
    { one: "a", two: { three: "b" } },
    { failed: 0, error: null, warning: "" },
  ];

  expect(outputs.map(textOf)).toEqual(["", "42", "a\nb", "one: a\nthree: b", "0\nnull\n"]);
  expect([{ ["n".repeat(65)]: "a" }, new Error("no")].map(textOf)).toEqual(["a", "no"]);
});

it("reads neither getters nor proxies, and ends on a value that holds itself", () => {
  const fail = () => expect.unreachable();
  const trap = Object.defineProperty({ type: "text" }, "text", { get: fail, enumerable: true });

  expect(textOf([trap, new Proxy({}, { ownKeys: fail, get: fail }), cyclic])).toContain("words");
  expect(() => read([{ type: "image" }, trap])).not.toThrow();
});

it("reads nothing of what has no end, and so much of the rest", () => {
  const arrays = [new Uint8Array(5_000_000), new Float64Array(5_000_000), new Array(4_000_000_000)];

  expect([manyFields, ...arrays, 1n << 1_000_000n].map((output) => textOf({ output }))).toEqual(Array(5).fill(""));
  expect(textOf(Array(100_000).fill("word")).length).toBeLessThan(10_000);
  expect(textOf({ a: "x".repeat(100_000) }).length).toBeLessThan(4200);
});
