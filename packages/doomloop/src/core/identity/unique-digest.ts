import { byteWriter } from "./byte-writer.ts";
import type { Digest } from "./digest.ts";

/** A digest for something that equals nothing, not even itself. */
export function uniqueDigest(what: string, index: number): Digest {
  byteWriter.begin();
  byteWriter.byte(0);
  byteWriter.text(what);
  byteWriter.float64(index);
  return byteWriter.digest();
}
