import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { listOf, recordOf } from "../../transcripts/foreign-value.ts";
import { bodyLimit } from "../memory-share.ts";
import { Problem } from "./problem.ts";
import { createTurns } from "./turns.ts";

/** The longest body. */
const MAX_BODY_BYTES = 4_000_000;
/** A shorter body takes so little time to parse that it need not wait for its turn. */
const SMALL_BYTES = 16_384;
/** A value of an event that is longer as JSON is told apart from others by a digest: a guard looks only at the beginning. */
const MAX_VALUE_LENGTH = 65_536;
const HEAD_LENGTH = 4_096;
const LONG_FIELDS = ["args", "output", "value"] as const;

/** Reads the bodies of requests, and limits what all of them together may hold in memory. */
export function createJsonReader(turns = createTurns(), maxHeld = bodyLimit()) {
  let held = 0;
  return {
    /** The value in a body. Rejects with a `Problem` for one that is too long, compressed, no UTF-8 or no JSON. */
    async read(request: IncomingMessage): Promise<unknown> {
      const { "content-encoding": encoding = "identity", "content-length": length = "0" } = request.headers;
      // A small body could unpack to any size.
      if (encoding !== "identity") throw new Problem(415, "a body without Content-Encoding is required");
      if (Number(length) > MAX_BODY_BYTES) throw tooLong();
      const pieces: Buffer[] = [];
      let size = 0;
      try {
        await receive(request, (piece) => {
          pieces.push(piece);
          size += piece.length;
          held += piece.length;
          if (size > MAX_BODY_BYTES) return tooLong();
          if (held <= maxHeld) return undefined;
          return new Problem(503, "too many requests are under way; try again", { "retry-after": "1" });
        });
        const bytes = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
        return size > SMALL_BYTES ? await turns.inSteps(reading(bytes)) : parsed(bytes);
      } finally {
        held -= size;
      }
    },
    /** The bytes that hold bodies that are being read or judged. */
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
      request.off("data", onData);
      reject(problem);
    };
    const onGone = (): void => {
      if (!request.complete) reject(new Problem(400, "the client hung up"));
    };
    request.on("data", onData).on("end", resolve).on("error", onGone).on("close", onGone);
  });
}

/** Parses a long body, and makes text of long values of its events, one event a step. */
function* reading(bytes: Buffer): Generator<void, unknown> {
  const value = parsed(bytes);
  for (const event of listOf(recordOf(value)?.events)) {
    yield;
    const sent = recordOf(event) as { [field: string]: unknown } | undefined;
    for (const field of sent === undefined ? [] : LONG_FIELDS) {
      const long = folded(sent![field]);
      if (long !== undefined) Object.assign(sent!, { [field]: long.text }, field === "output" && long.whole);
    }
  }
  return value;
}

/** A long value as text, and what describes the whole of it. Undefined for any other, and for one that is nested too deeply. */
function folded(value: unknown) {
  if (typeof value !== "object" || value === null) return undefined;
  try {
    const json = JSON.stringify(value);
    if (json.length <= MAX_VALUE_LENGTH) return undefined;
    const whole = { digest: createHash("sha256").update(json).digest("hex"), length: json.length };
    return { text: `${json.slice(0, HEAD_LENGTH)} [${whole.length} characters, ${whole.digest}]`, whole };
  } catch {
    return undefined;
  }
}

function tooLong(): Problem {
  return new Problem(413, `a body of at most ${MAX_BODY_BYTES} bytes is required`);
}

function parsed(bytes: Buffer): unknown {
  // Bytes that are no text would all be read as the same character, so different outputs would look equal.
  if (!isUtf8(bytes)) throw new Problem(400, "the body is not valid UTF-8");
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    throw new Problem(400, "the body is not valid JSON");
  }
}
