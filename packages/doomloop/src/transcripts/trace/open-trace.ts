import { createReadStream } from "node:fs";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { openRegularFile } from "../open-regular-file.ts";

const CHUNK_BYTES = 1 << 16;
const GZIP_MAGIC = [0x1f, 0x8b] as const;

/** The bytes of a trace file, decompressed if they are gzip. Opened when they are asked for; throws as `openRegularFile` does. */
export async function* openTrace(path: string): AsyncGenerator<Uint8Array> {
  const { descriptor: fd } = openRegularFile(path);
  yield* decompressed(createReadStream(path, { fd, highWaterMark: CHUNK_BYTES }));
}

/** The bytes of a stream, decompressed if they are gzip: told by content, because standard input has no name. */
export async function* decompressed(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]();
  const head = await readHead(chunks);
  const all = withHead(head, chunks);
  if (!GZIP_MAGIC.every((byte, at) => head[at] === byte)) {
    yield* all;
    return;
  }
  const unzipped = createGunzip({ chunkSize: CHUNK_BYTES });
  // A fault of either side ends the other, and comes out of the loop below.
  pipeline(all, unzipped, () => {});
  yield* unzipped as AsyncIterable<Uint8Array>;
}

/** The first bytes: at least as many as the magic number has, unless there are fewer. */
async function readHead(chunks: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  while (length < GZIP_MAGIC.length) {
    const { done, value } = await chunks.next();
    if (done === true) break;
    pieces.push(value);
    length += value.length;
  }
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
}

/** Closes the rest whenever it is left, also before its first chunk was asked for. */
async function* withHead(head: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    if (head.length > 0) yield head;
    yield* { [Symbol.asyncIterator]: () => rest };
  } finally {
    await rest.return?.();
  }
}
