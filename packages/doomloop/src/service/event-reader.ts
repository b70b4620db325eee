import { createHash, type Hash } from "node:crypto";
import { MAX_EVENT_BYTES, MAX_SENT_BYTES } from "../agents/hook-client/resident-address.ts";

/** Reads the JSON of an event piece by piece. */
export interface EventReader {
  /** Returns whether more can be read. */
  add(piece: Buffer): boolean;
  /** What was read, with long texts cut if it was too much. */
  bytes(): Buffer;
  /** The session that the event belongs to, as far as it was read. */
  session(): string | undefined;
}

/** Of a text in an event that is too long, so many bytes are kept. */
const KEPT_BYTES = 64_000;
const HEAD_BYTES = 64_000;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;
/** The names that agents have for it. */
const SESSION = /"(?:session_id|sessionId|sessionID|taskId|conversation_id|conversationId)"\s{0,9}:\s{0,9}"([^"\\]+)"/;

/**
 * Reads an event of any usual size. One that is too long contains a file or an output that nobody needs as a whole, so its long texts are
 * cut. A hash of what is left out stays, because two texts that differ must not look the same.
 */
export function createEventReader(maxBytes = MAX_EVENT_BYTES): EventReader {
  let pieces: Buffer[] = [];
  let read = 0;
  let kept = 0;
  let cut: ((piece: Buffer) => readonly Buffer[]) | undefined;
  const keep = (more: readonly Buffer[]): void => {
    for (const piece of more) {
      pieces.push(piece);
      kept += piece.length;
    }
  };
  return {
    add(piece) {
      read += piece.length;
      if (cut === undefined && kept + piece.length > maxBytes) {
        cut = createTextCutter();
        const before = pieces;
        [pieces, kept] = [[], 0];
        for (const earlier of before) keep(cut(earlier));
      }
      keep(cut?.(piece) ?? [piece]);
      return kept <= maxBytes && read <= MAX_SENT_BYTES;
    },
    bytes: () => Buffer.concat(pieces),
    session: () => SESSION.exec(Buffer.concat(pieces).toString("utf8", 0, HEAD_BYTES))?.[1],
  };
}

/** Cuts the texts in JSON that comes in pieces. */
function createTextCutter(): (piece: Buffer) => readonly Buffer[] {
  let isText = false;
  let length = 0;
  /** Bytes that are left of an escape, such as `\n` or `\u00e4`: it is not cut in between. */
  let escapeBytes = 0;
  let isBackslash = false;
  let left: { readonly hash: Hash; bytes: number } | undefined;

  /** Where the part of a text that is kept ends, and where the text or the piece ends. */
  const scan = (piece: Buffer, start: number): { readonly keptTo: number; readonly end: number } => {
    let keptTo = start;
    let at = start;
    for (; at < piece.length; at++) {
      const byte = piece[at];
      const isWithin = isBackslash || escapeBytes > 0;
      if (byte === QUOTE && !isWithin) break;
      if (left === undefined && (length < KEPT_BYTES || isWithin)) keptTo = at + 1;
      else left ??= { hash: createHash("sha256"), bytes: 0 };
      if (isBackslash) escapeBytes = byte === LETTER_U ? 4 : 0;
      else if (escapeBytes > 0) escapeBytes--;
      isBackslash = byte === BACKSLASH && !isWithin;
      length++;
    }
    return { keptTo, end: at };
  };

  return (piece) => {
    const out: Buffer[] = [];
    for (let at = 0; at < piece.length; ) {
      if (!isText) {
        const quote = piece.indexOf(QUOTE, at);
        const end = quote < 0 ? piece.length : quote + 1;
        out.push(piece.subarray(at, end));
        at = end;
        isText = quote >= 0;
        continue;
      }
      const { keptTo, end } = scan(piece, at);
      out.push(piece.subarray(at, keptTo));
      if (left !== undefined) {
        left.hash.update(piece.subarray(keptTo, end));
        left.bytes += end - keptTo;
      }
      at = end;
      if (end === piece.length) continue;
      if (left !== undefined) out.push(Buffer.from(` [${left.bytes} bytes cut, ${left.hash.digest("hex")}]`));
      out.push(piece.subarray(end, end + 1));
      [isText, length, left, at] = [false, 0, undefined, end + 1];
    }
    return out;
  };
}
