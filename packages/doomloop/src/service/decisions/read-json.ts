import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { bodyLimit } from "../memory-share.ts";
import { boundedJson } from "./bounded-json.ts";
import { Problem } from "./problem.ts";
import { createTurns } from "./turns.ts";

/** Reads the bodies of requests, and limits what all of them together may hold in memory. */
export interface JsonReader {
  /**
   * The value in a body. Rejects with a `Problem` for one that is too long, too complex, compressed, no UTF-8 or no JSON. `isOfEvents`: it is a list of
   * events.
   */
  read(request: IncomingMessage, isOfEvents: boolean): Promise<unknown>;
  /** The bytes of bodies that are being read or judged. */
  readonly held: number;
}

/** The longest body. */
const MAX_BODY_BYTES = 4_000_000;
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
      const body = { pieces: [] as Buffer[], length: 0 };
      try {
        await receive(request, (piece) => {
          body.pieces.push(piece);
          body.length += piece.length;
          held += piece.length;
          if (body.length > MAX_BODY_BYTES) return tooLong();
          if (held <= maxHeld) return undefined;
          return new Problem(503, "too many requests are under way; try again", { "retry-after": "1" });
        });
        if (body.length > SMALL_BYTES) return await turns.inSteps(reading(body.pieces, isOfEvents));
        const { 0: first, length: count } = body.pieces;
        return parsed(count === 1 ? first! : Buffer.concat(body.pieces));
      } finally {
        held -= body.length;
      }
    },
    get held() {
      return held;
    },
  };
}

/** Passes the body on piece by piece, until `take` returns a problem. An async iterator takes several times as long for a short body. */
function receive(request: IncomingMessage, take: (piece: Buffer) => Problem | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onData = (piece: Buffer): void => {
      const problem = take(piece);
      if (problem === undefined) return;
      request.off("data", onData).pause();
      reject(problem);
    };
    const onClose = (): void => {
      if (!request.complete) reject(new Error("the client hung up"));
    };
    request.on("data", onData).on("end", resolve).on("error", reject).on("close", onClose);
  });
}

function* reading(pieces: readonly Buffer[], isOfEvents: boolean): Generator<void, unknown> {
  const bytes = Buffer.concat(pieces);
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
