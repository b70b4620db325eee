import { hkdfSync } from "node:crypto";

/** A change of the format changes this, and with it all names and keys: versions do not meet. */
const VERSION = "doomloop journal 2";
const KEY_BYTES = 32;
const NAME_BYTES = 20;

export interface JournalKeys {
  /** The journal's folder: 40 hexadecimal digits. */
  readonly name: string;
  /** For AES-256. */
  readonly key: Buffer;
}

/**
 * Derives name and key of a journal from what it belongs to. Neither leads to the other, so whoever sees the names has no key: that
 * takes the session's id.
 */
export function journalKeys(owner: readonly (string | number)[]): JournalKeys {
  // As JSON, so that no two owners are written alike, whatever characters are in their ids.
  const secret = JSON.stringify(owner);
  const derive = (purpose: string, length: number) => Buffer.from(hkdfSync("sha256", secret, VERSION, purpose, length));
  return { name: derive("name", NAME_BYTES).toString("hex"), key: derive("key", KEY_BYTES) };
}
