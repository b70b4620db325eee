import { createHmac, hash } from "node:crypto";
import type { Digest } from "../../core/identity/digest.ts";
import { createRecencyTable } from "../recency-table.ts";

/** What a fingerprint is called in the store: 128 bits, keyed. Who reads the store cannot confirm a guess of what was called. */
export type NameOf = (fingerprint: Digest) => string;

const MAX_KNOWN = 4096;
const NAME_BYTES = 16;
const SHORT_ID = /^[\w.:-]{1,24}$/;

export function createNameOf(key: string | Uint8Array, tenant: string): NameOf {
  const known = createRecencyTable<string>(MAX_KNOWN);
  return (fingerprint) => {
    const before = known.get(fingerprint);
    if (before !== undefined) return before;
    const text = Buffer.from(`${tenant}\n${fingerprint}`, "utf16le");
    const name = createHmac("sha256", key).update(text).digest().subarray(0, NAME_BYTES).toString("base64url");
    known.set(fingerprint, name);
    return name;
  };
}

/** Tells a report from all others of the fleet: its run by a hash, its id as it is where that is short and plain. */
export function reportName(run: string, id: string): string {
  return `${run}${SHORT_ID.test(id) ? id : `#${shortHash(id)}`}`;
}

/** 64 bits of a run or a process. Two that are confused count as one, which is too little and not too much. */
export function shortHash(text: string): string {
  return hash("sha256", Buffer.from(text, "utf16le"), "buffer").subarray(0, 8).toString("base64url");
}
