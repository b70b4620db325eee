import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

/**
 * One record: magic (8 bytes), length of the body (4), time (8), id (12), id of the record it builds on (12), tag (16), body.
 *
 * The id is random and is the nonce of the encryption as well. The tag covers everything before it and the body.
 */
export const MAGIC = Buffer.from("doomrec1", "latin1");
export const ID_BYTES = 12;
const TAG_BYTES = 16;
const LENGTH_AT = MAGIC.length;
const TIME_AT = LENGTH_AT + 4;
const ID_AT = TIME_AT + 8;
const PARENT_AT = ID_AT + ID_BYTES;
const TAG_AT = PARENT_AT + ID_BYTES;
export const HEADER_BYTES = TAG_AT + TAG_BYTES;
const CIPHER = "aes-256-gcm";

/** What a record is locked with: it opens in the generation it was written for and in no other. */
export interface RecordLock {
  readonly key: Buffer;
  readonly generation: number;
}

/** What is written before a body. Until the body was opened, it is a claim. */
export interface RecordHeader {
  readonly id: string;
  readonly parent: string;
  /** When it was written, in milliseconds since 1970. */
  readonly at: number;
  /** Where it begins and ends in the bytes that it was read from. */
  readonly start: number;
  readonly end: number;
}

/** A record that builds on another, with its id. */
export function writeRecord(lock: RecordLock, parent: string, at: number, body: Buffer): { id: string; bytes: Buffer } {
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + body.length);
  const id = randomBytes(ID_BYTES);
  MAGIC.copy(bytes);
  bytes.writeUInt32BE(body.length, LENGTH_AT);
  bytes.writeDoubleBE(at, TIME_AT);
  id.copy(bytes, ID_AT);
  bytes.write(parent, PARENT_AT, "hex");
  const cipher = createCipheriv(CIPHER, lock.key, id);
  cipher.setAAD(claimOf(lock, bytes, 0));
  cipher.update(body).copy(bytes, HEADER_BYTES);
  cipher.final();
  cipher.getAuthTag().copy(bytes, TAG_AT);
  return { id: id.toString("hex"), bytes };
}

/** The header that begins at an offset, where the magic was found; undefined unless the whole record is there. */
export function readHeader(bytes: Buffer, start: number): RecordHeader | undefined {
  if (start + HEADER_BYTES > bytes.length) return undefined;
  const end = start + HEADER_BYTES + bytes.readUInt32BE(start + LENGTH_AT);
  if (end > bytes.length) return undefined;
  return {
    id: bytes.toString("hex", start + ID_AT, start + PARENT_AT),
    parent: bytes.toString("hex", start + PARENT_AT, start + TAG_AT),
    at: bytes.readDoubleBE(start + TIME_AT),
    start,
    end,
  };
}

/** The body of a record; undefined if a bit of it, or of its header, is not as it was written. */
export function readBody(lock: RecordLock, bytes: Buffer, { start, end }: RecordHeader): Buffer | undefined {
  const decipher = createDecipheriv(CIPHER, lock.key, bytes.subarray(start + ID_AT, start + PARENT_AT));
  decipher.setAAD(claimOf(lock, bytes, start));
  decipher.setAuthTag(bytes.subarray(start + TAG_AT, start + HEADER_BYTES));
  const body = decipher.update(bytes.subarray(start + HEADER_BYTES, end));
  try {
    decipher.final();
    return body;
  } catch {
    return undefined;
  }
}

function claimOf({ generation }: RecordLock, bytes: Buffer, start: number): Buffer {
  return Buffer.concat([Buffer.from(`${generation}:`), bytes.subarray(start, start + TAG_AT)]);
}
