import { createHmac, hash } from "node:crypto";
import type { Digest } from "../../core/identity/digest.ts";
import { createRecencyTable } from "../recency-table.ts";

const MAX_KNOWN_NAMES = 4096;
const NAME_BYTES = 16;
const SHORT_ID = /^[\w.:-]{1,24}$/;

/** A fingerprint's name in the store: a keyed hash of 128 bits, so that a reader of the store cannot confirm a guess of the call. */
export type NameOf = (fingerprint: Digest) => string;

export function createNameOf(key: string | Uint8Array, tenant: string): NameOf {
  const known = createRecencyTable<string>(MAX_KNOWN_NAMES);
  return (fingerprint) => {
    const before = known.get(fingerprint);
    if (before !== undefined) return before;
    const text = Buffer.from(`${tenant}\n${fingerprint}`, "utf16le");
    const name = createHmac("sha256", key).update(text).digest().subarray(0, NAME_BYTES).toString("base64url");
    known.set(fingerprint, name);
    return name;
  };
}

/** Identifies a report within the fleet, by the hash of its run and its id. A long or unusual id is hashed, too. */
export function reportName(run: string, id: string): string {
  return `${run}${SHORT_ID.test(id) ? id : `#${shortHash(id)}`}`;
}

/** A hash of 64 bits for a run or a process. If two collide, they count as one: too little, never too much. */
export function shortHash(text: string): string {
  return hash("sha256", Buffer.from(text, "utf16le"), "buffer").subarray(0, 8).toString("base64url");
}
