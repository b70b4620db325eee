import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { bodyLimit } from "../memory-share.ts";
import { boundedJson } from "./bounded-json.ts";
import { dropRest } from "./connection-limit.ts";
import { Problem } from "./problem.ts";
import { createTurns } from "./turns.ts";

/** Reads the bodies of requests, and limits what all of them together may hold in memory. */
export interface JsonReader {
  /**
   * The value in a body. Rejects with a `Problem` for one that is too long, too complex, compressed, no UTF-8 or no JSON. `isOfEvents`: it is a list of
   * events.
   */
  read(request: IncomingMessage, isOfEvents: boolean): Promise<unknown>;
  /** The bytes that hold bodies that are being read or judged. */
  readonly held: number;
}

/** The longest body. */
const MAX_BODY_BYTES = 4_000_000;
/** Each piece of a body costs time, however short it is. Those of ordinary clients are longer on average, from the first ones on. */
const PIECE_BYTES = 256;
const FIRST_PIECES = 512;
/** A shorter body takes so little time to parse that it need not wait for its turn, whatever it holds; or need not be scanned first. */
const SMALL_BYTES = 16_384;
const UNSCANNED_BYTES = 65_536;

export function createJsonReader(turns = createTurns(), maxHeld = bodyLimit()): JsonReader {
  let held = 0;
  return {
    async read(request, isOfEvents) {
      const { "content-encoding": encoding = "identity", "content-length": length = "0" } = request.headers;
      // A small body could unpack to any size.
      if (encoding !== "identity") throw new Problem(415, "a body without Content-Encoding is required");
      if (Number(length) > MAX_BODY_BYTES) throw tooLong();
      let body: Collected = { bytes: Buffer.alloc(0), length: 0 };
      let pieces = 0;
      try {
        await receive(request, (piece) => {
          if (body.length + piece.length > MAX_BODY_BYTES) return tooLong();
          if (++pieces > FIRST_PIECES + body.length / PIECE_BYTES)
            return new Problem(413, `a body in fewer pieces, of at least ${PIECE_BYTES} bytes on average, is required`);
          const before = body.bytes.length;
          body = withPiece(body, piece);
          held += body.bytes.length - before;
          if (held <= maxHeld) return undefined;
          return new Problem(503, "too many requests are under way; try again", { "retry-after": "1" });
        });
        const bytes = body.bytes.subarray(0, body.length);
        return bytes.length > SMALL_BYTES ? await turns.inSteps(reading(bytes, isOfEvents)) : parsed(bytes);
      } finally {
        held -= body.bytes.length;
      }
    },
    get held() {
      return held;
    },
  };
}

/** What has come of a body: so many of the bytes. */
interface Collected {
  readonly bytes: Buffer;
  readonly length: number;
}

/** One buffer holds all pieces: an object for each would take many times the memory of a short one. */
function withPiece({ bytes, length }: Collected, piece: Buffer): Collected {
  const needed = length + piece.length;
  if (length === 0) return { bytes: piece, length: needed };
  const hasRoom = needed <= bytes.length;
  const larger = hasRoom ? bytes : Buffer.allocUnsafe(Math.min(MAX_BODY_BYTES, Math.max(needed, 2 * bytes.length)));
  if (!hasRoom) bytes.copy(larger, 0, 0, length);
  piece.copy(larger, length);
  return { bytes: larger, length: needed };
}

/** Passes the body on piece by piece, until `take` returns a problem. An async iterator takes several times as long for a short body. */
function receive(request: IncomingMessage, take: (piece: Buffer) => Problem | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onData = (piece: Buffer): void => {
      const problem = take(piece);
      if (problem === undefined) return;
      request.off("data", onData);
      dropRest(request);
      reject(problem);
    };
    const onGone = (): void => {
      if (!request.complete) reject(new Problem(400, "the client hung up"));
    };
    request.on("data", onData).on("end", resolve).on("error", onGone).on("close", onGone);
  });
}

function* reading(bytes: Buffer, isOfEvents: boolean): Generator<void, unknown> {
  if (bytes.length <= UNSCANNED_BYTES) return parsed(bytes);
  requireUtf8(bytes);
  const text = yield* boundedJson(bytes, isOfEvents);
  yield;
  return valueIn(text);
}

function tooLong(): Problem {
  return new Problem(413, `a body of at most ${MAX_BODY_BYTES} bytes is required`);
}

function parsed(bytes: Buffer): unknown {
  requireUtf8(bytes);
  return valueIn(bytes.toString("utf8"));
}

/** Bytes that are no text would all be read as the same character, so different outputs would look equal. */
function requireUtf8(bytes: Buffer): void {
  if (!isUtf8(bytes)) throw new Problem(400, "the body is not valid UTF-8");
}

function valueIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem(400, "the body is not valid JSON");
  }
}
