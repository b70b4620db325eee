import { type Digest, digestOfAll } from "./digest.ts";

/** A digest for something that equals nothing, not even itself. */
export function uniqueDigest(what: string, index: number): Digest {
  return digestOfAll("unique", what, String(index));
}
