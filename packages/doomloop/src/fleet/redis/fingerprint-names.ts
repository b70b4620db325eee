import { hash } from "node:crypto";
import { type Digest, digestHint } from "../../core/identity/digest.ts";

/** What fingerprints, runs and reports are called in the store. */
export interface FingerprintNames {
  /** 128 bits, keyed: whoever reads the store cannot confirm a guess of what was called. */
  nameOf(fingerprint: Digest): string;
}

/** Names that are remembered; a power of two. */
const MAX_KNOWN = 4096;
const FINGERPRINT_BYTES = 18;
const BLOCK_BYTES = 64;
const HASH_BYTES = 32;
const SHORT_ID = /^[\w.:-]{1,24}$/;
const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** Names are made once for each call that is repeated. Each fingerprint has one place, and the latest to come has it. */
export function createFingerprintNames(key: string | Uint8Array, tenant: string): FingerprintNames {
  const fingerprints: Digest[] = new Array(MAX_KNOWN).fill("");
  const names: string[] = new Array(MAX_KNOWN).fill("");
  const keyed = createKeyedHash(key, Buffer.from(`${tenant}\n`), FINGERPRINT_BYTES);
  return {
    nameOf(fingerprint) {
      const place = digestHint(fingerprint) & (MAX_KNOWN - 1);
      if (fingerprints[place] === fingerprint) return names[place]!;
      const name = first128Bits(keyed(fingerprint));
      fingerprints[place] = fingerprint;
      names[place] = name;
      return name;
    },
  };
}

/** Which slot's counts a fingerprint is among. */
export function shardOf(name: string, shards: number): number {
  return shards === 1 ? 0 : (name.charCodeAt(0) * 4099 + name.charCodeAt(1) * 67 + name.charCodeAt(2)) % shards;
}

/** Tells a run from all others, in 64 bits: two that are confused count as one, which is too little and not too much. */
export function runName({ worker, run }: { worker: string; run: string }): string {
  return hashOf(`${worker.length} ${worker}${run}`);
}

/** A report's id as it is, if it is short and plain, else its hash. */
export function reportName(id: string): string {
  return SHORT_ID.test(id) ? id : `#${hashOf(id)}`;
}

function hashOf(text: string): string {
  return hash("sha256", Buffer.from(text, "utf16le"), "buffer").subarray(0, 8).toString("base64url");
}

/**
 * HMAC-SHA-256 of a prefix and a text of fixed length, in base64url. Two hashes over buffers that are laid out once: an object made
 * for each text costs fifteen times as much, and a buffer made for each hash three times.
 */
function createKeyedHash(key: string | Uint8Array, prefix: Buffer, textBytes: number): (text: string) => string {
  const long = Buffer.from(key);
  const block = Buffer.alloc(BLOCK_BYTES);
  block.set(long.length > BLOCK_BYTES ? hash("sha256", long, "buffer") : long);
  const inner = Buffer.concat([block.map((byte) => byte ^ 0x36), prefix, Buffer.alloc(textBytes)]);
  const outer = Buffer.concat([block.map((byte) => byte ^ 0x5c), Buffer.alloc(HASH_BYTES)]);
  const textAt = BLOCK_BYTES + prefix.length;
  return (text) => {
    inner.write(text, textAt, textBytes, "utf16le");
    outer.write(hash("sha256", inner, "binary"), BLOCK_BYTES, HASH_BYTES, "latin1");
    return hash("sha256", outer, "base64url");
  };
}

/** The 22nd digit has two of the 128 bits, and four that are none of them. */
function first128Bits(digits: string): string {
  return digits.slice(0, 21) + DIGITS[DIGITS.indexOf(digits[21]!) & 0b110000]!;
}
