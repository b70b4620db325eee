import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { decompressed, type ReadTraceOptions, readTrace } from "./read-trace.ts";

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
