import fc from "fast-check";
import { expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { splitLines } from "./split-lines.ts";

async function* chunksOf(texts: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield typeof text === "string" ? Buffer.from(text) : text;
}

async function linesOf(texts: readonly (string | Uint8Array)[], maxBytes?: number): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of splitLines(chunksOf(texts), maxBytes === undefined ? {} : { maxBytes })) {
    lines.push(`${line.number}:${line.bytes.toString()}`);
  }
  return lines;
}

it.each([
  { title: "lines of one chunk", chunks: ["a\nb\n"], lines: ["1:a", "2:b"] },
  { title: "a last line without an end", chunks: ["a\nb"], lines: ["1:a", "2:b"] },
  { title: "a line over several chunks", chunks: ["a", "b", "c\nd"], lines: ["1:abc", "2:d"] },
  { title: "empty lines", chunks: ["\n\n", "\na"], lines: ["1:", "2:", "3:", "4:a"] },
  { title: "empty chunks", chunks: ["", "a", "", "\n", ""], lines: ["1:a"] },
  { title: "nothing", chunks: [], lines: [] },
])("gives $title", async ({ chunks, lines }) => {
  expect(await linesOf(chunks)).toEqual(lines);
});

it("keeps a character whole that lies across two chunks", async () => {
  const bytes = Buffer.from("aé\n");

  expect(await linesOf([bytes.subarray(0, 2), bytes.subarray(2)])).toEqual(["1:aé"]);
});

it("leaves out lines over the limit, tells which, and goes on", async () => {
  const tooLong: number[] = [];
  const lines: string[] = [];
  const options = { maxBytes: 4, onTooLong: (line: number) => void tooLong.push(line) };
  for await (const { bytes } of splitLines(chunksOf(["1234\n123", "45\nab\n12", "345"]), options)) {
    lines.push(bytes.toString());
  }

  expect(lines).toEqual(["1234", "ab"]);
  expect(tooLong).toEqual([2, 4]);
});

it("gives the same lines however the bytes are cut", async () => {
  const line = fc.string({ unit: "grapheme", maxLength: 8 }).map((text) => text.replaceAll("\n", ""));
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { minLength: 1, maxLength: 6 }),
      fc.array(fc.nat(40), { maxLength: 6 }),
      async (lines, cuts) => {
        const bytes = Buffer.from(`${lines.join("\n")}\n`);
        const ends = [...cuts.filter((cut) => cut < bytes.length).sort((one, other) => one - other), bytes.length];
        const chunks = ends.map((end, at) => bytes.subarray(ends[at - 1] ?? 0, end));
        expect(await linesOf(chunks)).toEqual(lines.map((text, at) => `${at + 1}:${text}`));
      },
    ),
    { numRuns: Math.ceil(propertyRuns() / 10) },
  );
});
