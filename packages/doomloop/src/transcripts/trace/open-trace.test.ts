import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { decompressed } from "./open-trace.ts";

async function textOf(chunks: readonly Uint8Array[]): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of decompressed(Readable.from(chunks))) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

/** Bytes one by one: the worst way to cut them. */
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

it("throws at gzip that ends too early", async () => {
  await expect(textOf([zipped.subarray(0, zipped.length - 9)])).rejects.toThrow("unexpected end of file");
});

it("closes its source when the reader leaves early", async () => {
  const source = Readable.from(Array.from({ length: 100 }, () => Buffer.from("x\n")));
  for await (const _ of decompressed(source)) break;

  expect(source.destroyed).toBe(true);
});
