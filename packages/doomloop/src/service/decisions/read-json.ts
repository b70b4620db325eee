import type { IncomingMessage } from "node:http";
import { bodyLimit } from "../memory-share.ts";
import { boundedJson } from "./bounded-json.ts";
import { Problem } from "./problem.ts";
import { createTurns } from "./turns.ts";

/** Reads the bodies of requests, and limits what all of them together may hold in memory. */
export interface JsonReader {
  /**
   * The value in a body. Rejects with a `Problem` for one that is too long, too complex, compressed or no JSON. `isOfEvents`: it is a list of
   * events.
   */
  read(request: IncomingMessage, isOfEvents: boolean): Promise<unknown>;
  /** The bytes of bodies that are being read or judged. */
  readonly held: number;
}

/** The longest body. */
const MAX_BODY_BYTES = 4_000_000;
/** A shorter body takes little time to parse, whatever it holds. */
const SMALL_BYTES = 65_536;

export function createJsonReader(turns = createTurns(), maxHeld = bodyLimit()): JsonReader {
  let held = 0;
  return {
    async read(request, isOfEvents) {
      const { "content-encoding": encoding = "identity", "content-length": length = "0" } = request.headers;
      // A small body could unpack to any size.
      if (encoding !== "identity") throw new Problem(415, "a body without Content-Encoding is required");
      if (Number(length) > MAX_BODY_BYTES) throw tooLong();
      const pieces: Buffer[] = [];
      let own = 0;
      try {
        for await (const piece of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
          own += piece.length;
          held += piece.length;
          if (own > MAX_BODY_BYTES) throw tooLong();
          if (held > maxHeld)
            throw new Problem(503, "too many requests are under way; try again", { "retry-after": "1" });
          pieces.push(piece);
        }
        if (own <= SMALL_BYTES) return parsed(Buffer.concat(pieces).toString("utf8"));
        return await turns.inSteps(reading(pieces, isOfEvents));
      } finally {
        held -= own;
      }
    },
    get held() {
      return held;
    },
  };
}

function* reading(pieces: readonly Buffer[], isOfEvents: boolean): Generator<void, unknown> {
  const text = yield* boundedJson(Buffer.concat(pieces), isOfEvents);
  yield;
  return parsed(text);
}

function tooLong(): Problem {
  return new Problem(413, `a body of at most ${MAX_BODY_BYTES} bytes is required`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Problem(400, "the body is not valid JSON");
  }
}
