import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { decompressed, type ReadTraceOptions, readTrace, splitLines } from "./read-trace.ts";

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

async function runsOf(text: string, options: ReadTraceOptions = {}): Promise<string[]> {
  const runs: string[] = [];
  for await (const { run, events } of readTrace(bytesOf(text), options)) runs.push(`${run}/${events.length}`);
  return runs;
}

const RUN = '{"run":"a","events":[{"type":"round"}]}';

it("reads one run per line", async () => {
  expect(await runsOf(`${RUN}\n{"run":"b","model":"m","events":[]}\n`)).toEqual(["a/1", "b/0"]);
});

it("reads a file with blank lines, carriage returns and a byte order mark", async () => {
  expect(await runsOf(`\uFEFF${RUN}\r\n\r\n  \n${RUN}\r\n`)).toEqual(["a/1", "a/1"]);
});

it.each([
  { title: "no JSON", line: '{"run":"a",' },
  { title: "a list", line: "[1]" },
  { title: "null", line: "null" },
  { title: "a run without a name", line: '{"events":[]}' },
  { title: "a run whose name is a number", line: '{"run":1,"events":[]}' },
  { title: "a run without events", line: '{"run":"a"}' },
  { title: "a run whose events are no list", line: '{"run":"a","events":{"length":1}}' },
])("skips and reports $title, and continues", async ({ line }) => {
  const skipped: string[] = [];
  const options: ReadTraceOptions = { onSkipped: (number, reason) => void skipped.push(`${number} ${reason}`) };

  expect(await runsOf(`${RUN}\n${line}\n${RUN}\n`, options)).toEqual(["a/1", "a/1"]);
  expect(skipped).toEqual(["2 malformed"]);
});

it("skips and reports a line that is too long, and continues", async () => {
  const skipped: string[] = [];
  const options: ReadTraceOptions = {
    maxLineBytes: 60,
    onSkipped: (number, reason) => void skipped.push(`${number} ${reason}`),
  };

  expect(await runsOf(`{"run":"${"x".repeat(60)}","events":[]}\n${RUN}\n`, options)).toEqual(["a/1"]);
  expect(skipped).toEqual(["1 too-long"]);
});

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
])("returns $title", async ({ chunks, lines }) => {
  expect(await linesOf(chunks)).toEqual(lines);
});

it("keeps a character that spans two chunks", async () => {
  const bytes = Buffer.from("aé\n");

  expect(await linesOf([bytes.subarray(0, 2), bytes.subarray(2)])).toEqual(["1:aé"]);
});

it("skips and reports lines over the limit, and continues", async () => {
  const tooLong: number[] = [];
  const lines: string[] = [];
  const options = { maxBytes: 4, onTooLong: (line: number) => void tooLong.push(line) };
  for await (const { bytes } of splitLines(chunksOf(["1234\n123", "45\nab\n12", "345"]), options)) {
    lines.push(bytes.toString());
  }

  expect(lines).toEqual(["1234", "ab"]);
  expect(tooLong).toEqual([2, 4]);
});

it("returns the same lines however the bytes are split", async () => {
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

async function textOf(chunks: readonly Uint8Array[]): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of decompressed(Readable.from(chunks))) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

/** Single bytes, the worst way to split them. */
function singly(bytes: Uint8Array): Uint8Array[] {
  return Array.from(bytes, (byte) => Uint8Array.of(byte));
}

const TEXT = "one\ntwo\n";
const zipped = gzipSync(TEXT);

it.each([
  { title: "plain bytes", chunks: [Buffer.from(TEXT)], text: TEXT },
  { title: "plain bytes, one by one", chunks: singly(Buffer.from(TEXT)), text: TEXT },
  { title: "gzip", chunks: [zipped], text: TEXT },
  { title: "gzip, one by one", chunks: singly(zipped), text: TEXT },
  { title: "gzip of several members", chunks: [zipped, zipped], text: TEXT + TEXT },
  { title: "a single byte that gzip begins with", chunks: [Uint8Array.of(0x1f)], text: "\u001f" },
  { title: "nothing", chunks: [], text: "" },
])("reads $title", async ({ chunks, text }) => {
  expect(await textOf(chunks)).toBe(text);
});

it("throws if gzip ends too early", async () => {
  await expect(textOf([zipped.subarray(0, zipped.length - 9)])).rejects.toThrow("unexpected end of file");
});

it("closes its source when the reader leaves early", async () => {
  const source = Readable.from(Array.from({ length: 100 }, () => Buffer.from("x\n")));
  for await (const _ of decompressed(source)) break;

  expect(source.destroyed).toBe(true);
});
