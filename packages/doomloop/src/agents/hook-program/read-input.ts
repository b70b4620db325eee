/** A longer input contains a result that is too long to judge. */
const MAX_BYTES = 16_000_000;

/** Reads JSON from a stream. Undefined if it is too long or not JSON. */
export async function readInput(stream: AsyncIterable<Uint8Array>): Promise<unknown> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of stream) {
    length += piece.length;
    if (length > MAX_BYTES) return undefined;
    pieces.push(piece);
  }
  try {
    return JSON.parse(Buffer.concat(pieces).toString("utf8"));
  } catch {
    return undefined;
  }
}
