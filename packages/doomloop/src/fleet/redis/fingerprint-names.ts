import { hash } from "node:crypto";
import type { Digest } from "../../core/identity/digest.ts";
import { createGenerations } from "./generations.ts";

/** What fingerprints, runs and reports are called in the store. */
export interface FingerprintNames {
  /** 128 bits, keyed: whoever reads the store cannot confirm a guess of what was called. */
  nameOf(fingerprint: Digest): string;
}

const MAX_KNOWN = 10_000;
const NAME_BYTES = 16;
const FINGERPRINT_BYTES = 18;
const BLOCK_BYTES = 64;
const SHORT_ID = /^[\w.:-]{1,24}$/;

export function createFingerprintNames(key: string | Uint8Array, tenant: string): FingerprintNames {
  const known = createGenerations<string>(MAX_KNOWN);
  const keyed = createKeyedHash(key, Buffer.from(`${tenant}\n`), FINGERPRINT_BYTES);
  return {
    nameOf(fingerprint) {
      const before = known.get(fingerprint);
      if (before !== undefined) return before;
      const name = keyed(fingerprint).subarray(0, NAME_BYTES).toString("base64url");
      known.set(fingerprint, name);
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
 * HMAC-SHA-256 of a prefix and a text of fixed length. Two hashes over buffers that are laid out once, because an object
 * made for each text costs three times as much.
 */
function createKeyedHash(key: string | Uint8Array, prefix: Buffer, textBytes: number): (text: string) => Buffer {
  const long = Buffer.from(key);
  const block = Buffer.alloc(BLOCK_BYTES);
  block.set(long.length > BLOCK_BYTES ? hash("sha256", long, "buffer") : long);
  const inner = Buffer.concat([block.map((byte) => byte ^ 0x36), prefix, Buffer.alloc(textBytes)]);
  const outer = Buffer.concat([block.map((byte) => byte ^ 0x5c), Buffer.alloc(32)]);
  const textAt = BLOCK_BYTES + prefix.length;
  return (text) => {
    inner.write(text, textAt, textBytes, "utf16le");
    outer.set(hash("sha256", inner, "buffer"), BLOCK_BYTES);
    return hash("sha256", outer, "buffer");
  };
}
